/* SPDX-License-Identifier: MIT */
/* html_in.h - reading the HTML of small devices; the only place that knows libxml2.
 *
 * Tables are found by the text of their header cells, because positions and classes differ between firmwares.  Pages
 * are foreign input: size, rows and cells are capped, texts are cut, nothing here follows a link or loads anything. */
#ifndef BASE_HTML_IN_H
#define BASE_HTML_IN_H

#include <stdbool.h>
#include <stddef.h>

#include "linkbase/err.h"

#define HTML_COLS 16
#define HTML_TEXT 128
#define HTML_ROWS 512

struct html_doc;

struct html_row {
    size_t n;
    char cell[HTML_COLS][HTML_TEXT]; /* blanks folded, trimmed */
};

struct html_table {
    size_t n_heads, n;
    struct html_row *rows; /* data rows; owned by the table */
    char head[HTML_COLS][HTML_TEXT];
    size_t head_col[HTML_COLS]; /* column where each header begins (colspan counted) */
};

struct html_option {
    char value[HTML_TEXT], text[HTML_TEXT];
    bool selected, has_value;
};

/* At most 1 MiB.  Errors: BASE_MALFORMED, BASE_NO_MEMORY. */
int html_parse(const char *text, size_t n, struct html_doc **ret, struct base_err *err);
void html_free(struct html_doc *doc);
/* Title, "" when there is none.  Borrowed. */
const char *html_title(const struct html_doc *doc);
/* First table with a header row that has all of `heads` (NULL-terminated; any order).  false: none.
 * Free with html_table_done. */
bool html_find_table(const struct html_doc *doc, const char *const heads[], struct html_table *ret);
void html_table_done(struct html_table *t);
/* Column of a header, -1 = none. */
int html_column(const struct html_table *t, const char *head);
/* Text of a cell, "" past the row's end. */
const char *html_cell(const struct html_row *r, int column);
/* Text of the cell that follows the cell `label` (or "label:") in its row; "" = there is no such cell. */
void html_cell_after(const struct html_doc *doc, const char *label, char to[static HTML_TEXT]);
/* Options of the first <select name=...>; at most `cap`.  Returns how many. */
size_t html_options(const struct html_doc *doc, const char *select, struct html_option *ret,
                    size_t cap);
/* Does the element with this id have this attribute?  found: whether there is such an element. */
bool html_id_has(const struct html_doc *doc, const char *id, const char *attribute, bool *found);
/* Calls fn for the src of each <img>, in page order. */
void html_images(const struct html_doc *doc, void (*fn)(void *arg, const char *src), void *arg);

#endif
