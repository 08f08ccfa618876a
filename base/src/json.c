/* SPDX-License-Identifier: MIT */
/* json.c - see json.h.  Pure but for the buffer's memory. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Length of the UTF-8 sequence at s, 0 when it is none (overlong, surrogate, cut off, out of range). */
static unsigned utf8_len(const unsigned char *s)
{
    unsigned n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    if (s[0] > 0xf4)
        return 0;
    for (unsigned i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

static void quoted(struct base_buf *b, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    base_buf_chr(b, '"');
    while (*s) {
        unsigned n = utf8_len(s);
        if (*s == '"' || *s == '\\')
            base_buf_printf(b, "\\%c", *s);
        else if (*s == '\n')
            base_buf_str(b, "\\n");
        else if (*s < 0x20 || *s == 0x7f)
            base_buf_printf(b, "\\u%04x", *s);
        else if (n == 0)
            base_buf_str(b, "\\ufffd");
        else
            base_buf_add(b, s, n);
        s += n ? n : 1;
    }
    base_buf_chr(b, '"');
}

static void before(struct base_json *j, const char *key)
{
    bool in_object = j->depth && j->open[j->depth - 1] == '{';
    if (in_object != (key != NULL) ||
        (j->depth == 0 && j->comma)) /* a key too many or too few; a second document */
        j->out->bad = true;
    if (j->comma)
        base_buf_chr(j->out, ',');
    if (key) {
        quoted(j->out, key);
        base_buf_chr(j->out, ':');
    }
    j->comma = true;
}

static void open_level(struct base_json *j, const char *key, char c)
{
    before(j, key);
    if (j->depth == BASE_JSON_DEPTH) {
        j->out->bad = true;
        return;
    }
    base_buf_chr(j->out, c);
    j->open[j->depth++] = c;
    j->comma = false;
}

void base_json_obj(struct base_json *j, const char *key)
{
    open_level(j, key, '{');
}

void base_json_arr(struct base_json *j, const char *key)
{
    open_level(j, key, '[');
}

void base_json_end(struct base_json *j)
{
    if (j->depth == 0) {
        j->out->bad = true;
        return;
    }
    j->depth--;
    base_buf_chr(j->out, j->open[j->depth] == '{' ? '}' : ']');
    j->comma = true;
}

void base_json_str(struct base_json *j, const char *key, const char *s)
{
    if (!s) {
        base_json_null(j, key);
        return;
    }
    before(j, key);
    quoted(j->out, s);
}

void base_json_strf(struct base_json *j, const char *key, const char *fmt, ...)
{
    struct base_buf text = { .max = 1 << 20 };
    va_list ap;
    va_start(ap, fmt);
    base_buf_vprintf(&text, fmt, ap);
    va_end(ap);
    if (text.bad)
        j->out->bad = true;
    else
        base_json_str(j, key, text.p);
    base_buf_done(&text);
}

void base_json_int(struct base_json *j, const char *key, int64_t v)
{
    before(j, key);
    base_buf_printf(j->out, "%" PRId64, v);
}

void base_json_uint(struct base_json *j, const char *key, uint64_t v)
{
    before(j, key);
    base_buf_printf(j->out, "%" PRIu64, v);
}

void base_json_num(struct base_json *j, const char *key, double v)
{
    if (!isfinite(v)) {
        base_json_null(j, key);
        return;
    }
    before(j, key);
    base_buf_printf(j->out, "%.3f", v);
}

void base_json_bool(struct base_json *j, const char *key, bool v)
{
    before(j, key);
    base_buf_str(j->out, v ? "true" : "false");
}

void base_json_null(struct base_json *j, const char *key)
{
    before(j, key);
    base_buf_str(j->out, "null");
}

void base_json_raw(struct base_json *j, const char *key, const char *json)
{
    before(j, key);
    base_buf_str(j->out, json);
}

void base_json_doc(struct base_json *j, const char *kind)
{
    base_json_obj(j, NULL);
    base_json_int(j, "schema", 1);
    base_json_str(j, "kind", kind);
}

void base_json_err(struct base_json *j, const struct base_err *err)
{
    base_json_doc(j, "error");
    base_json_obj(j, "error");
    base_json_str(j, "id", base_err_id(err->code));
    base_json_str(j, "where", err->where);
    base_json_str(j, "message", err->msg);
    base_json_str(j, "hint", err->hint);
    base_json_end(j);
    base_json_end(j);
}
