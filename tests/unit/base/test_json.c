/* SPDX-License-Identifier: MIT */
/* test_json.c - the writer (bytes that are no UTF-8, nesting) and the reader (comments, places of errors, numbers). */
#include "unit.h"

#include "base/json.h"
#include "json_in.h"

static void whole_document(void **state)
{
    struct base_buf b = { 0 };
    struct base_json j = base_json_init(&b);
    (void)state;
    base_json_doc(&j, "test");
    base_json_str(&j, "s", "a\"b\\c\nd\te\x7f");
    base_json_str(&j, "none", NULL);
    base_json_strf(&j, "f", "%d-%s", 7, "x");
    base_json_int(&j, "i", INT64_MIN);
    base_json_uint(&j, "u", UINT64_MAX);
    base_json_num(&j, "n", 0.5);
    base_json_num(&j, "inf", 1e308 * 10);
    base_json_bool(&j, "t", true);
    base_json_arr(&j, "l");
    base_json_obj(&j, NULL);
    base_json_end(&j);
    base_json_arr(&j, NULL);
    base_json_end(&j);
    base_json_raw(&j, NULL, "[1]");
    base_json_null(&j, NULL);
    base_json_end(&j);
    base_json_end(&j);
    assert_false(b.bad);
    assert_int_equal(j.depth, 0);
    assert_string_equal(
        b.p,
        "{\"schema\":1,\"kind\":\"test\",\"s\":\"a\\\"b\\\\c\\nd\\u0009e\\u007f\",\"none\":null,"
        "\"f\":\"7-x\","
        "\"i\":-9223372036854775808,\"u\":18446744073709551615,\"n\":0.500,\"inf\":null,\"t\":true,"
        "\"l\":[{},[],[1],null]}");
    base_buf_done(&b);
}

static void bytes_that_are_no_utf8(void **state)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        { "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
        { "\x80", "\\ufffd" }, /* continuation alone */
        { "a\xff"
          "b",
          "a\\ufffdb" },                                        /* never in UTF-8 */
        { "\xc0\xaf", "\\ufffd\\ufffd" },                       /* overlong */
        { "\xe0\x80\x80", "\\ufffd\\ufffd\\ufffd" },            /* overlong */
        { "\xf0\x80\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd" }, /* overlong */
        { "\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd" },            /* surrogate */
        { "\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd" }, /* above U+10FFFF */
        { "\xe2\x82", "\\ufffd\\ufffd" },                       /* cut off at the end */
        { "\xe2\x82\"", "\\ufffd\\ufffd\\\"" },                 /* may not swallow the quote */
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct base_buf b = { 0 };
        struct base_json j = base_json_init(&b);
        char want[80];
        base_json_str(&j, NULL, rows[i].in);
        (void)snprintf(want, sizeof(want), "\"%s\"", rows[i].out);
        assert_string_equal(b.p, want);
        base_buf_done(&b);
    }
}

static void any_bytes_come_out_as_json(void **state)
{
    uint64_t seed = unit_seed();
    (void)state;
    for (int i = 0; i < 2000; i++) {
        struct base_buf b = { 0 };
        struct base_json j = base_json_init(&b);
        struct json_doc *doc;
        char text[17];
        for (int k = 0; k < 16; k++)
            text[k] = (char)(unit_random(&seed) >> 32);
        text[16] = '\0';
        base_json_obj(&j, NULL);
        base_json_str(&j, text, text);
        base_json_end(&j);
        assert_int_equal(json_parse(b.p, b.n, &doc, NULL), 0);
        json_free(doc);
        base_buf_done(&b);
    }
}

enum { OBJ, ARR, END, KEYED, PLAIN };

static bool bad_after(const int *ops, size_t n)
{
    struct base_buf b = { 0 };
    struct base_json j = base_json_init(&b);
    bool bad;
    for (size_t i = 0; i < n; i++) {
        const char *key = j.depth && j.open[j.depth - 1] == '{' ? "k" : NULL;
        if (ops[i] == OBJ)
            base_json_obj(&j, key);
        else if (ops[i] == ARR)
            base_json_arr(&j, key);
        else if (ops[i] == END)
            base_json_end(&j);
        else
            base_json_int(&j, ops[i] == KEYED ? "k" : NULL, 1);
    }
    bad = b.bad;
    base_buf_done(&b);
    return bad;
}

static void nesting_is_checked(void **state)
{
    int deep[BASE_JSON_DEPTH + 1];
    (void)state;
#define BAD(...)                                                                                   \
    bad_after((const int[]){ __VA_ARGS__ }, sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))
    assert_false(BAD(OBJ, KEYED, END));
    assert_false(BAD(ARR, PLAIN, PLAIN, END));
    assert_true(BAD(OBJ, PLAIN));
    assert_true(BAD(ARR, KEYED));
    assert_true(BAD(KEYED));
    assert_true(BAD(END));
    assert_true(BAD(OBJ, END, END));
    assert_true(BAD(OBJ, END, OBJ));
    assert_true(BAD(PLAIN, PLAIN));
    for (int i = 0; i <= BASE_JSON_DEPTH; i++)
        deep[i] = ARR;
    assert_false(bad_after(deep, BASE_JSON_DEPTH));
    assert_true(bad_after(deep, BASE_JSON_DEPTH + 1));
}

static void document_of_an_error(void **state)
{
    struct base_err e = { 0 };
    struct base_buf b = { 0 };
    struct base_json j = base_json_init(&b);
    (void)state;
    base_err_set(&e, BASE_NOT_FOUND, "no");
    base_err_hint(&e, "yes");
    base_err_wrap(&e, "here");
    base_json_err(&j, &e);
    assert_string_equal(b.p, "{\"schema\":1,\"kind\":\"error\",\"error\":{\"id\":\"not-found\","
                             "\"where\":\"here\",\"message\":\"no\",\"hint\":\"yes\"}}");
    base_buf_done(&b);
}

static void comments_are_allowed(void **state)
{
    static const char text[] = "// one\n{ \"a\": /* two\n * lines */ 1, // three\n \"u\": "
                               "\"http://x/*no*/\", \"q\": \"\\\"//\" } /**/ // end";
    struct json_doc *doc;
    int64_t v;
    (void)state;
    assert_int_equal(json_parse(text, strlen(text), &doc, NULL), 0);
    assert_true(json_num(json_root(doc), "a", &v));
    assert_int_equal(v, 1);
    assert_string_equal(json_str(json_root(doc), "u"), "http://x/*no*/");
    assert_string_equal(json_str(json_root(doc), "q"), "\"//");
    json_free(doc);
}

static void errors_say_where(void **state)
{
    static const struct {
        const char *text, *where;
    } rows[] = {
        { "", "line 1, column 1" },
        { "{", "line 1, column 2" },
        { "{}\n x", "line 2, column 2" },
        { "{ \"a\": 1,\n  \"b\" 2 }", "line 2, column 7" },
        { "// c\n[1,\n2,,3]", "line 3, column 3" },
        { "[1] /* never closed", "line 1, column 5" },
        { "[1] /*/ never closed", "line 1, column 5" },
        { "[1 / 2]", "line 1, column 4" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct json_doc *doc;
        struct base_err e = { 0 };
        assert_int_equal(json_parse(rows[i].text, strlen(rows[i].text), &doc, &e), -BASE_MALFORMED);
        assert_string_equal(e.where, rows[i].where);
    }
}

static void hostile_texts(void **state)
{
    static const char nul[] = "{}\0{}";
    struct json_doc *doc;
    char *deep = malloc(200000);
    (void)state;
    assert_int_equal(json_parse(nul, sizeof(nul) - 1, &doc, NULL), -BASE_MALFORMED);
    memset(deep, '[', 200000);
    assert_int_equal(json_parse(deep, 200000, &doc, NULL), -BASE_MALFORMED);
    free(deep);
}

static void types_and_defaults(void **state)
{
    static const char text[] = "{\"kind\":\"k\",\"n\":null,\"b\":true,\"d\":1.5,\"big\":"
                               "9007199254740993e3,\"neg\":-7,\"l\":[1,\"x\"],\"o\":{}}";
    const struct json_node *o, *v;
    struct json_doc *doc;
    int64_t n = 42;
    (void)state;
    assert_int_equal(json_parse(text, strlen(text), &doc, NULL), 0);
    o = json_root(doc);
    assert_string_equal(json_kind(doc), "k");
    assert_null(json_str(o, "n"));
    assert_null(json_str(o, "absent"));
    assert_null(json_get(o, "KIND"));
    assert_true(json_flag(o, "b", false));
    assert_true(json_flag(o, "kind", true));
    assert_false(json_num(o, "d", &n));
    assert_false(json_num(o, "big", &n));
    assert_false(json_num(o, "kind", &n));
    assert_int_equal(n, 42);
    assert_true(json_num(o, "neg", &n));
    assert_int_equal(n, -7);
    v = json_first(json_get(o, "l"));
    assert_int_equal(json_type(v), JSON_NUMBER);
    v = json_next(v);
    assert_string_equal(json_text(v), "x");
    assert_null(json_next(v));
    assert_null(json_first(json_get(o, "o")));
    assert_null(json_first(json_get(o, "kind")));
    assert_string_equal(json_key(json_first(o)), "kind");
    json_free(doc);
    json_free(NULL);
}

static void try_text(const uint8_t *p, size_t n, bool cut)
{
    struct json_doc *doc;
    int rc = json_parse((const char *)p, n, &doc, NULL);
    (void)cut;
    if (rc)
        assert_int_equal(rc, -BASE_MALFORMED);
    else
        json_free(doc);
}

static void mangled_texts(void **state)
{
    static const char text[] = "{\"a\":[1,2.5e3,\"\\u00e4\\\"\"],/* c */\"b\":{\"c\":null}} // x\n";
    (void)state;
    unit_mangle(text, strlen(text), 4096, try_text);
}

UNIT_TESTS(T(whole_document), T(bytes_that_are_no_utf8), T(any_bytes_come_out_as_json),
           T(nesting_is_checked), T(document_of_an_error), T(comments_are_allowed),
           T(errors_say_where), T(hostile_texts), T(types_and_defaults), T(mangled_texts))
