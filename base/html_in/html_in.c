/* SPDX-License-Identifier: MIT */
/* html_in.c - see html_in.h. */
#include "html_in.h"

#include <libxml/HTMLparser.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PAGE  ((size_t)1 << 20)
#define MAX_DEPTH 200

struct html_doc {
    htmlDocPtr x;
    char title[HTML_TEXT];
};

static bool is(const xmlNode *n, const char *name)
{
    return n->type == XML_ELEMENT_NODE && !xmlStrcasecmp(n->name, (const xmlChar *)name);
}

/* Next node in page order below `top`. */
static xmlNode *next_in(xmlNode *n, const xmlNode *top)
{
    if (n->children)
        return n->children;
    while (n && n != top && !n->next)
        n = n->parent;
    return n && n != top ? n->next : NULL;
}

static xmlNode *find_in(xmlNode *top, const char *name)
{
    for (xmlNode *n = top ? top->children : NULL; n; n = next_in(n, top))
        if (is(n, name))
            return n;
    return NULL;
}

static void add_text(char *to, size_t *n, const char *from)
{
    for (; *from && *n < HTML_TEXT - 1; from++) {
        bool blank = strchr(" \t\r\n", *from) != NULL;
        if (blank && (*n == 0 || to[*n - 1] == ' '))
            continue;
        to[(*n)++] = blank ? ' ' : *from;
    }
    to[*n] = '\0';
}

static void trim(char *text)
{
    size_t n = strlen(text);
    while (n && text[n - 1] == ' ')
        text[--n] = '\0';
}

/* All text below a node; for an option only its own first text, since the next option may have been nested in it. */
static void text_of(xmlNode *top, bool own_only, char to[static HTML_TEXT])
{
    size_t used = 0;
    to[0] = '\0';
    for (xmlNode *n = top->children; n; n = own_only ? n->next : next_in(n, top)) {
        if (n->type == XML_TEXT_NODE && n->content)
            add_text(to, &used, (const char *)n->content);
        else if (own_only && n->type == XML_ELEMENT_NODE)
            break;
    }
    trim(to);
}

static bool attribute(xmlNode *n, const char *name, char to[static HTML_TEXT])
{
    xmlChar *v = xmlGetProp(n, (const xmlChar *)name);
    size_t used = 0;
    to[0] = '\0';
    if (!v)
        return false;
    add_text(to, &used, (const char *)v);
    xmlFree(v);
    return true;
}

static bool too_deep(xmlNode *root)
{
    int depth = 0;
    for (xmlNode *n = root; n;) {
        if (n->children) {
            n = n->children;
            if (++depth > MAX_DEPTH)
                return true;
            continue;
        }
        while (n && n != root && !n->next) {
            n = n->parent;
            depth--;
        }
        if (!n || n == root)
            break;
        n = n->next;
    }
    return false;
}

int html_parse(const char *text, size_t n, struct html_doc **ret, struct base_err *err)
{
    struct html_doc *d;
    xmlNode *title;
    if (n == 0 || n > MAX_PAGE)
        return base_err_set(err, BASE_MALFORMED,
                            n ? "page of %zu bytes is too large" : "empty page (%zu bytes)", n);
    d = calloc(1, sizeof(*d));
    if (!d)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    d->x = htmlReadMemory(text, (int)n, NULL, "UTF-8",
                          HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                              HTML_PARSE_NONET | HTML_PARSE_COMPACT);
    if (!d->x || !xmlDocGetRootElement(d->x) || too_deep(xmlDocGetRootElement(d->x))) {
        html_free(d);
        return base_err_set(err, BASE_MALFORMED, "not an HTML page");
    }
    title = find_in((xmlNode *)d->x, "title");
    if (title)
        text_of(title, false, d->title);
    *ret = d;
    return 0;
}

void html_free(struct html_doc *doc)
{
    if (!doc)
        return;
    xmlFreeDoc(doc->x);
    free(doc);
}

const char *html_title(const struct html_doc *doc)
{
    return doc->title;
}

static size_t colspan(xmlNode *cell)
{
    char text[HTML_TEXT];
    size_t v = 1;
    if (attribute(cell, "colspan", text) && text[0] >= '1' && text[0] <= '9' && !text[1])
        v = (size_t)(text[0] - '0');
    return v;
}

static void read_heads(xmlNode *tr, struct html_table *t)
{
    size_t col = 0;
    t->n_heads = 0;
    for (xmlNode *c = tr->children; c; c = c->next) {
        if (!is(c, "th") && !is(c, "td"))
            continue;
        if (is(c, "th") && t->n_heads < HTML_COLS) {
            text_of(c, false, t->head[t->n_heads]);
            t->head_col[t->n_heads++] = col;
        }
        col += colspan(c);
    }
}

static bool has_all(const struct html_table *t, const char *const heads[])
{
    for (; *heads; heads++)
        if (html_column(t, *heads) < 0)
            return false;
    return true;
}

static void read_row(xmlNode *tr, struct html_row *r)
{
    r->n = 0;
    for (xmlNode *c = tr->children; c && r->n < HTML_COLS; c = c->next)
        if (is(c, "td"))
            text_of(c, false, r->cell[r->n++]);
}

static bool rows_after(xmlNode *table, xmlNode *head_row, struct html_table *t)
{
    size_t cap = 0;
    for (xmlNode *n = head_row; n && t->n < HTML_ROWS; n = next_in(n, table)) {
        if (n == head_row || !is(n, "tr"))
            continue;
        if (t->n == cap) {
            struct html_row *v;
            cap = cap ? cap * 2 : 16;
            v = realloc(t->rows, cap * sizeof(*v));
            if (!v)
                return false;
            t->rows = v;
        }
        read_row(n, &t->rows[t->n]);
        t->n += t->rows[t->n].n > 0;
    }
    return true;
}

bool html_find_table(const struct html_doc *doc, const char *const heads[], struct html_table *ret)
{
    xmlNode *top = (xmlNode *)doc->x;
    *ret = (struct html_table){ 0 };
    for (xmlNode *n = top->children; n; n = next_in(n, top)) {
        if (!is(n, "table"))
            continue;
        for (xmlNode *tr = n->children; tr; tr = next_in(tr, n)) {
            if (!is(tr, "tr"))
                continue;
            read_heads(tr, ret);
            if (!ret->n_heads || !has_all(ret, heads))
                continue;
            if (rows_after(n, tr, ret))
                return true;
            html_table_done(ret);
            return false;
        }
    }
    ret->n_heads = 0;
    return false;
}

void html_table_done(struct html_table *t)
{
    free(t->rows);
    *t = (struct html_table){ 0 };
}

int html_column(const struct html_table *t, const char *head)
{
    for (size_t i = 0; i < t->n_heads; i++)
        if (!strcmp(t->head[i], head))
            return (int)t->head_col[i];
    return -1;
}

const char *html_cell(const struct html_row *r, int column)
{
    return column >= 0 && (size_t)column < r->n ? r->cell[column] : "";
}

void html_cell_after(const struct html_doc *doc, const char *label, char to[static HTML_TEXT])
{
    xmlNode *top = (xmlNode *)doc->x;
    size_t len = strlen(label);
    to[0] = '\0';
    for (xmlNode *n = top->children; n; n = next_in(n, top)) {
        char text[HTML_TEXT];
        xmlNode *value = n->next;
        if (!is(n, "th") && !is(n, "td"))
            continue;
        text_of(n, false, text);
        if (strncmp(text, label, len) != 0 || (text[len] && strcmp(text + len, ":") != 0))
            continue;
        while (value && value->type != XML_ELEMENT_NODE)
            value = value->next;
        if (value && is(value, "td"))
            text_of(value, false, to);
        return;
    }
}

size_t html_options(const struct html_doc *doc, const char *select, struct html_option *ret,
                    size_t cap)
{
    xmlNode *top = (xmlNode *)doc->x;
    char name[HTML_TEXT];
    size_t n = 0;
    for (xmlNode *s = top->children; s; s = next_in(s, top)) {
        if (!is(s, "select") || !attribute(s, "name", name) || strcmp(name, select) != 0)
            continue;
        for (xmlNode *o = s->children; o && n < cap; o = next_in(o, s)) {
            if (!is(o, "option"))
                continue;
            text_of(o, true, ret[n].text);
            ret[n].has_value = attribute(o, "value", ret[n].value);
            ret[n].selected = xmlHasProp(o, (const xmlChar *)"selected") != NULL;
            n++;
        }
        break;
    }
    return n;
}

bool html_id_has(const struct html_doc *doc, const char *id, const char *name, bool *found)
{
    xmlNode *top = (xmlNode *)doc->x;
    char text[HTML_TEXT];
    *found = false;
    for (xmlNode *n = top->children; n; n = next_in(n, top))
        if (n->type == XML_ELEMENT_NODE && attribute(n, "id", text) && !strcmp(text, id)) {
            *found = true;
            return xmlHasProp(n, (const xmlChar *)name) != NULL;
        }
    return false;
}

void html_images(const struct html_doc *doc, void (*fn)(void *arg, const char *src), void *arg)
{
    xmlNode *top = (xmlNode *)doc->x;
    char src[HTML_TEXT];
    for (xmlNode *n = top->children; n; n = next_in(n, top))
        if (is(n, "img") && attribute(n, "src", src))
            fn(arg, src);
}
