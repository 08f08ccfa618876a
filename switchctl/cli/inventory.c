/* SPDX-License-Identifier: MIT */
/* inventory.c - see inventory.h.
 *
 * [ { "name": "attic", "url": "http://192.0.2.10", "password_file": "/root/attic" } ]      (comments allowed)
 * A key that is not known is an error: a login without the password that was meant throws other people out. */
#define _GNU_SOURCE
#include "inventory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json_in.h"
#include "os.h"

static const char *const keys[] = { "name",
                                    "url",
                                    "user",
                                    "password_file",
                                    "password_env",
                                    "password_command",
                                    "password",
                                    "dialect",
                                    "tls_pin",
                                    "pace_ms",
                                    NULL };

static int text(struct cli *cli, const struct json_node *v, const char *key, char *to, size_t size)
{
    const struct json_node *value = json_get(v, key);
    const char *p = value ? json_text(value) : NULL;
    to[0] = '\0';
    if (!value)
        return 0;
    if (!p || strlen(p) >= size)
        return base_err_set(&cli->err, BASE_MALFORMED, "%s is no text of less than %zu bytes", key,
                            size);
    memcpy(to, p, strlen(p) + 1);
    return 0;
}

static int known_keys(struct cli *cli, const struct json_node *v)
{
    for (const struct json_node *k = json_first(v); k; k = json_next(k)) {
        const char *key = json_key(k) ? json_key(k) : "", *near;
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (keys[i])
            continue;
        near = cli_nearest(key, keys);
        base_err_set(&cli->err, BASE_MALFORMED, "unknown key %.40s", key);
        return near
                   ? base_err_hint(&cli->err, "did you mean %s?", near)
                   : base_err_hint(&cli->err, "keys: name, url, user, password_file, password_env, "
                                              "password_command, dialect, pace_ms");
    }
    return 0;
}

static int read_entry(struct cli *cli, const struct json_node *v, struct inventory_entry *e)
{
    int rc = known_keys(cli, v);
    if (!rc)
        rc = text(cli, v, "url", e->url, sizeof(e->url));
    if (!rc)
        rc = text(cli, v, "user", e->user, sizeof(e->user));
    if (!rc)
        rc = text(cli, v, "dialect", e->dialect, sizeof(e->dialect));
    if (!rc)
        rc = text(cli, v, "password_file", e->password_file, sizeof(e->password_file));
    if (!rc)
        rc = text(cli, v, "password_env", e->password_env, sizeof(e->password_env));
    if (!rc)
        rc = text(cli, v, "password_command", e->password_command, sizeof(e->password_command));
    if (!rc)
        rc = text(cli, v, "password", e->password, sizeof(e->password));
    if (!rc && !e->url[0])
        rc = base_err_set(&cli->err, BASE_MALFORMED, "it has no url");
    if (!rc && json_get(v, "tls_pin")) { /* left out, it would look as if somebody checked it */
        base_err_set(&cli->err, BASE_UNSUPPORTED, "tls_pin is not supported");
        rc = base_err_hint(&cli->err, "take it out; https is checked against the system's CAs");
    }
    if (!rc && json_get(v, "pace_ms") &&
        (!json_num(v, "pace_ms", &e->pace_ms) || e->pace_ms < 0 || e->pace_ms > 60000))
        rc = base_err_set(&cli->err, BASE_MALFORMED, "pace_ms is no number from 0 to 60000");
    return rc ? base_err_wrap(&cli->err, "%.60s", json_str(v, "name")) : 0;
}

/* A password that others can read is none, and a command that others can write is theirs. */
static int check_mode(struct cli *cli, const char *path, const struct json_node *v)
{
    bool secret = json_get(v, "password") != NULL;
    struct stat st;
    if (!secret && !json_get(v, "password_command"))
        return 0;
    if (stat(path, &st) != 0 || !(st.st_mode & (secret ? 077 : 022)))
        return 0;
    base_err_set(&cli->err, BASE_REFUSED,
                 secret ? "%s holds a password and others can read it"
                        : "%s holds a command and others can write it",
                 path);
    return base_err_hint(&cli->err, "chmod 600 %s%s", path,
                         secret ? "   or use password_file in it" : "");
}

static int read_inventory(struct cli *cli, const char *path, const char *name,
                          struct inventory_entry *ret, bool *ret_found)
{
    struct base_buf b = { 0 };
    struct json_doc *doc = NULL;
    int rc = os_read_file(path, 1 << 20, &b, &cli->err);
    if (!rc && json_parse(b.p ? b.p : "", b.n, &doc, &cli->err))
        rc = base_err_wrap(&cli->err, "%s", path);
    if (!rc && json_type(json_root(doc)) != JSON_ARRAY)
        rc = base_err_set(&cli->err, BASE_MALFORMED, "%s is no list of switches", path);
    for (const struct json_node *v = rc ? NULL : json_first(json_root(doc)); v && !rc;
         v = json_next(v)) {
        rc = check_mode(cli, path, v);
        if (rc || !json_str(v, "name") || strcmp(json_str(v, "name"), name) != 0)
            continue;
        *ret_found = true;
        if (read_entry(cli, v, ret))
            rc = base_err_wrap(&cli->err, "%s", path);
    }
    json_free(doc);
    if (b.p)
        explicit_bzero(b.p, b.cap);
    base_buf_done(&b);
    return rc;
}

int inventory_find(struct cli *cli, const char *name, struct inventory_entry *ret)
{
    const char *given = cli_get(cli, "inventory"), *home = getenv("HOME"),
               *xdg = getenv("XDG_CONFIG_HOME");
    char path[2][300];
    bool found = false;
    int rc = 0;
    (void)snprintf(path[0], sizeof(path[0]), "%s%s/switchctl/switches.json",
                   xdg    ? xdg
                   : home ? home
                          : "",
                   xdg ? "" : "/.config");
    (void)snprintf(path[1], sizeof(path[1]), "/etc/switchctl/switches.json");
    if (given)
        rc = read_inventory(cli, given, name, ret, &found);
    for (int i = 0; i < 2 && !given && !found && !rc; i++)
        if (access(path[i], F_OK) == 0)
            rc = read_inventory(cli, path[i], name, ret, &found);
    if (!rc && !found && strlen(name) >= sizeof(ret->url))
        return base_err_set(&cli->err, BASE_USAGE, "the switch's name is too long");
    if (!rc && !found) { /* no name of the inventory: a host */
        *ret = (struct inventory_entry){ 0 };
        (void)snprintf(ret->url, sizeof(ret->url), "%s", name);
    }
    return rc;
}
