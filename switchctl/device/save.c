/* SPDX-License-Identifier: MIT */
/* save.c - what outlives the running setting: saving it into flash, and the device's own backup file. */
#include "device.h"

#include <string.h>

int sw_save(struct sw_device *d, struct base_err *err)
{
    struct base_err here = { 0 };
    struct sw_state ignored = { 0 };
    struct sw_response r = { 0 };
    struct sw_request q;
    int rc;
    err = err ? err : &here;
    sw_deadline(d, SW_WRITE_MS);
    rc = sw_known(d, &ignored, err);
    if (!rc) {
        q = d->dialect->save();
        rc = sw_fetch(d, &q, true, &r, err);
    }
    if (!rc && (d->dialect->refused(&r, err) || !d->dialect->saved(&r))) {
        rc = base_err_set(err, BASE_FAILED, "the switch did not say that it saved");
        base_err_hint(err, "the running setting stands; save again: switchctl -s %s save", d->url);
    }
    if (!rc)
        d->wrote = false;
    base_buf_done(&r.body);
    return rc ? base_err_wrap(err, "%s", d->url) : 0;
}

static int fetch_backup(struct sw_device *d, struct sw_response *r, struct base_err *err)
{
    struct sw_request q = d->dialect->backup();
    int rc = sw_fetch(d, &q, false, r, err);
    if (rc)
        return rc;
    if (r->body.n && r->body.p[0] == '<' && d->dialect->refused(r, err))
        return base_err_hint(err, "no file was written");
    if (r->status == 200 && r->body.n >= 16 && r->body.p[0] != '<')
        return 0;
    base_err_set(err, BASE_MALFORMED, "the backup file is empty, or a page (status %d, %zu bytes)",
                 r->status, r->body.n);
    return base_err_hint(err, "no file was written; try again in a minute");
}

/* Nothing in the file says whether it is whole, and the answer has no length: it is fetched twice. */
int sw_backup(struct sw_device *d, char **ret, size_t *ret_n, struct base_err *err)
{
    struct base_err here = { 0 };
    struct sw_state ignored = { 0 };
    struct sw_response r = { 0 }, again = { 0 };
    int rc;
    err = err ? err : &here;
    sw_deadline(d, SW_READ_MS);
    rc = sw_known(d, &ignored, err);
    if (!rc)
        rc = fetch_backup(d, &r, err);
    if (!rc)
        rc = fetch_backup(d, &again, err);
    if (!rc && (r.body.n != again.body.n || memcmp(r.body.p, again.body.p, r.body.n) != 0)) {
        rc = base_err_set(err, BASE_MALFORMED, "the backup file came cut off (%zu and %zu bytes)",
                          r.body.n, again.body.n);
        base_err_hint(err, "no file was written; try again in a minute");
    }
    if (!rc) {
        *ret_n = r.body.n;
        *ret = base_buf_take(&r.body);
        rc = *ret ? 0 : base_err_set(err, BASE_NO_MEMORY, "out of memory");
    }
    base_buf_done(&again.body);
    base_buf_done(&r.body);
    return rc ? base_err_wrap(err, "%s", d->url) : 0;
}
