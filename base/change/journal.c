/* SPDX-License-Identifier: MIT */
/* journal.c - see journal.h. */
#define _GNU_SOURCE
#include "journal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "json_in.h"
#include "os.h"

int journal_add(struct journal *j, const char *kind, const char *data, size_t n,
                struct base_err *err)
{
    struct journal_record *r = &j->v[j->n];
    if (j->n == JOURNAL_RECORDS || strlen(kind) >= sizeof(r->kind))
        return base_err_set(err, BASE_FAILED, "too many steps for one change");
    r->data = malloc(n + 1);
    if (!r->data)
        return base_err_set(err, BASE_NO_MEMORY, "out of memory");
    memcpy(r->data, data, n);
    r->data[n] = '\0';
    r->n = n;
    (void)snprintf(r->kind, sizeof(r->kind), "%s", kind);
    j->n++;
    return 0;
}

void journal_done(struct journal *j)
{
    while (j->n)
        free(j->v[--j->n].data);
}

static void path_of(const char *id, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/%s.json", CHANGE_DIR, id);
}

int journal_write(const struct journal *j, struct base_err *err)
{
    struct base_buf b = { 0 };
    struct base_json w = base_json_init(&b);
    char path[128];
    int rc;
    base_json_doc(&w, "journal");
    base_json_str(&w, "id", j->id);
    base_json_str(&w, "program", j->program);
    base_json_str(&w, "what", j->what);
    base_json_str(&w, "status", j->status);
    base_json_str(&w, "boot_id", j->boot);
    base_json_str(&w, "started", j->started);
    base_json_uint(&w, "netns", j->netns);
    base_json_arr(&w, "undo");
    for (size_t i = 0; i < j->n; i++) {
        base_json_obj(&w, NULL);
        base_json_str(&w, "kind", j->v[i].kind);
        base_json_str(&w, "data", j->v[i].data);
        base_json_end(&w);
    }
    base_json_end(&w);
    base_json_end(&w);
    path_of(j->id, path, sizeof(path));
    rc = b.bad ? base_err_set(err, BASE_NO_MEMORY, "out of memory")
               : os_write_file(path, b.p, b.n, err);
    base_buf_done(&b);
    return rc ? base_err_wrap(err, "journal") : 0;
}

static void copy(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from ? from : "");
}

static int from_json(const struct json_node *root, struct journal *j, struct base_err *err)
{
    const struct json_node *list = json_get(root, "undo");
    int64_t ns = 0;
    copy(j->id, sizeof(j->id), json_str(root, "id"));
    copy(j->program, sizeof(j->program), json_str(root, "program"));
    copy(j->what, sizeof(j->what), json_str(root, "what"));
    copy(j->status, sizeof(j->status), json_str(root, "status"));
    copy(j->boot, sizeof(j->boot), json_str(root, "boot_id"));
    copy(j->started, sizeof(j->started), json_str(root, "started"));
    (void)json_num(root, "netns", &ns);
    j->netns = (unsigned long)ns;
    if (!j->id[0] || strchr(j->id, '/') || !list)
        return base_err_set(err, BASE_MALFORMED, "not a journal entry");
    for (const struct json_node *v = json_first(list); v; v = json_next(v)) {
        const char *kind = json_str(v, "kind"), *data = json_str(v, "data");
        if (!kind || !data)
            return base_err_set(err, BASE_MALFORMED, "a record without kind or data");
        if (journal_add(j, kind, data, strlen(data), err))
            return -(int)BASE_MALFORMED;
    }
    return 0;
}

int journal_read(const char *path, struct journal *ret, struct base_err *err)
{
    struct base_buf b = { 0 };
    struct json_doc *doc;
    int rc = os_read_file(path, (size_t)32 << 20, &b, err);
    *ret = (struct journal){ 0 };
    if (!rc)
        rc = json_parse(b.p ? b.p : "", b.n, &doc, err);
    if (!rc) {
        rc = from_json(json_root(doc), ret, err);
        json_free(doc);
    }
    base_buf_done(&b);
    if (rc) {
        journal_done(ret);
        return base_err_wrap(err, "%s", path);
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

int journal_paths(char (*ret)[128], size_t cap, size_t *ret_n, struct base_err *err)
{
    DIR *d = opendir(CHANGE_DIR);
    struct dirent *e;
    size_t n = 0;
    *ret_n = 0;
    if (!d)
        return errno == ENOENT
                   ? 0
                   : base_err_sys(err, BASE_FAILED, errno, "cannot read %s", CHANGE_DIR);
    while ((e = readdir(d)) && n < cap) {
        size_t len = strlen(e->d_name);
        if (len > 5 && len < 64 && !strcmp(e->d_name + len - 5, ".json"))
            (void)snprintf(ret[n++], sizeof(ret[0]), "%s/%.63s", CHANGE_DIR, e->d_name);
    }
    closedir(d);
    qsort(ret, n, sizeof(ret[0]), by_name);
    *ret_n = n;
    return 0;
}

static const struct change_handler *handler_of(const struct change_opts *o, const char *kind)
{
    for (const struct change_handler *h = o->handlers; h->kind; h++)
        if (!strcmp(h->kind, kind))
            return h;
    return NULL;
}

int journal_undo(const struct journal *j, const struct change_opts *o, bool here,
                 struct base_err *err)
{
    int first = 0;
    /* Whole or not at all: half a change taken back is a third state. */
    for (size_t i = 0; i < j->n; i++)
        if (!handler_of(o, j->v[i].kind)) {
            base_err_set(err, BASE_FAILED, "%s cannot take back a step of kind %s", o->program,
                         j->v[i].kind);
            return base_err_hint(err, "finish it with: %s rollback %s", j->program, j->id);
        }
    for (size_t i = j->n; i-- > 0;) {
        const struct change_handler *h = handler_of(o, j->v[i].kind);
        int rc = here || h->outlives_boot ? h->undo(o->ctx, j->v[i].data, j->v[i].n, err) : 0;
        first = first ? first : rc; /* after a reboot nothing of this host is left to take back */
    }
    return first;
}
