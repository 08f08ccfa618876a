/* SPDX-License-Identifier: MIT */
/* json_in.c - see json_in.h. */
#include "json_in.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT ((size_t)64 << 20)

struct json_doc {
    cJSON *root;
};

static cJSON *item(const struct json_node *v)
{
    return (cJSON *)(uintptr_t)v;
}

static const struct json_node *node(const cJSON *c)
{
    return (const struct json_node *)c;
}

/* Comments out, same length, so that cJSON's error offset stays right. */
static void blank_comments(char *s)
{
    bool quoted = false;
    for (; *s; s++) {
        if (quoted && *s == '\\' && s[1])
            s++;
        else if (*s == '"')
            quoted = !quoted;
        else if (!quoted && s[0] == '/' && s[1] == '/')
            for (; *s && *s != '\n'; s++)
                *s = ' ';
        else if (!quoted && s[0] == '/' && s[1] == '*') {
            char *end = strstr(s + 2, "*/");
            if (!end)
                return; /* never closed: an error where it begins */
            for (; s < end + 2; s++)
                if (*s != '\n')
                    *s = ' ';
            s--;
        }
        if (!*s)
            break;
    }
}

static void line_col(const char *text, size_t at, unsigned *line, unsigned *col)
{
    *line = 1;
    *col = 1;
    for (size_t i = 0; i < at; i++) {
        if (text[i] == '\n') {
            (*line)++;
            *col = 0;
        }
        (*col)++;
    }
}

int json_parse(const char *text, size_t n, struct json_doc **ret, struct base_err *err)
{
    const char *end = NULL;
    struct json_doc *doc;
    char *copy;
    int rc = 0;
    if (n > MAX_TEXT)
        return base_err_set(err, BASE_MALFORMED, "JSON of %zu bytes is over the limit of %zu", n,
                            MAX_TEXT);
    if (memchr(text, '\0', n))
        return base_err_set(err, BASE_MALFORMED, "not JSON: contains a NUL byte");
    doc = calloc(1, sizeof(*doc));
    copy = malloc(n + 1);
    if (!doc || !copy) {
        free(doc);
        free(copy);
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    blank_comments(copy);
    doc->root = cJSON_ParseWithOpts(copy, &end, false);
    if (doc->root)
        end += strspn(end, " \t\r\n");
    if (!doc->root || *end) {
        unsigned line, col;
        line_col(copy, end ? (size_t)(end - copy) : 0, &line, &col);
        rc = base_err_set(err, BASE_MALFORMED, "not valid JSON here");
        base_err_wrap(err, "line %u, column %u", line, col);
        json_free(doc);
    } else {
        *ret = doc;
    }
    free(copy);
    return rc;
}

void json_free(struct json_doc *doc)
{
    if (!doc)
        return;
    cJSON_Delete(doc->root);
    free(doc);
}

const struct json_node *json_root(const struct json_doc *doc)
{
    return node(doc->root);
}

enum json_type json_type(const struct json_node *v)
{
    const cJSON *c = item(v);
    if (cJSON_IsBool(c))
        return JSON_BOOL;
    if (cJSON_IsNumber(c))
        return JSON_NUMBER;
    if (cJSON_IsString(c))
        return JSON_STRING;
    if (cJSON_IsArray(c))
        return JSON_ARRAY;
    return cJSON_IsObject(c) ? JSON_OBJECT : JSON_NULL;
}

const struct json_node *json_get(const struct json_node *obj, const char *key)
{
    return cJSON_IsObject(item(obj)) ? node(cJSON_GetObjectItemCaseSensitive(item(obj), key))
                                     : NULL;
}

const struct json_node *json_first(const struct json_node *container)
{
    const cJSON *c = item(container);
    return cJSON_IsArray(c) || cJSON_IsObject(c) ? node(c->child) : NULL;
}

const struct json_node *json_next(const struct json_node *v)
{
    return node(item(v)->next);
}

const char *json_key(const struct json_node *v)
{
    return item(v)->string;
}

const char *json_str(const struct json_node *obj, const char *key)
{
    return json_text(json_get(obj, key));
}

bool json_flag(const struct json_node *obj, const char *key, bool otherwise)
{
    const struct json_node *v = json_get(obj, key);
    return v && json_type(v) == JSON_BOOL ? json_bool(v) : otherwise;
}

bool json_num(const struct json_node *obj, const char *key, int64_t *ret)
{
    return json_int(json_get(obj, key), ret);
}

const char *json_text(const struct json_node *v)
{
    return cJSON_GetStringValue(item(v));
}

bool json_int(const struct json_node *v, int64_t *ret)
{
    double d;
    if (!cJSON_IsNumber(item(v)))
        return false;
    d = item(v)->valuedouble;
    if (d != floor(d) || fabs(d) > 9007199254740992.0)
        return false;
    *ret = (int64_t)d;
    return true;
}

bool json_bool(const struct json_node *v)
{
    return cJSON_IsTrue(item(v));
}

const char *json_kind(const struct json_doc *doc)
{
    return json_str(json_root(doc), "kind");
}
