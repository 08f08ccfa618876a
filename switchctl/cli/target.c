/* SPDX-License-Identifier: MIT */
/* target.c - see target.h.  Passwords come from a file, the environment, the inventory or a prompt, never from the
 * command line, and are wiped after use. */
#define _GNU_SOURCE
#include "target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "json_in.h"
#include "os.h"

const struct cli_opt target_opts[] = {
    { "switch", "NAME|URL", "the switch: a name of the inventory, http://ADDRESS, or replay:FILE",
      's' },
    { "user", "NAME", "login name (default admin)", 0 },
    { "password-file", "FILE", "file with the password, - = standard input", 0 },
    { "inventory", "FILE",
      "list of switches (default: ~/.config/switchctl/switches.json, then /etc)", 0 },
    { "pace-ms", "MS", "pause between requests (default: what the model needs)", 0 },
    { "timeout-ms", "MS", "per request (default 3000)", 0 },
    { "trace", "FILE",
      "add all that is said to FILE, without secrets; -s replay:FILE plays it back", 0 },
    { 0 },
};

struct found {
    char url[160], user[64], password_file[256], password_env[64], password_command[256],
        password[256];
    int64_t pace_ms;
};

static void put(char *to, size_t size, const char *from)
{
    (void)snprintf(to, size, "%s", from ? from : "");
}

static int read_inventory(struct cli *cli, const char *path, const char *name, struct found *ret,
                          bool *ret_found)
{
    struct base_buf b = { 0 };
    struct json_doc *doc = NULL;
    struct stat st;
    int rc = os_read_file(path, 1 << 20, &b, &cli->err);
    if (!rc && json_parse(b.p ? b.p : "", b.n, &doc, &cli->err))
        rc = base_err_wrap(&cli->err, "%s", path);
    for (const struct json_node *v = rc ? NULL : json_first(json_root(doc)); v; v = json_next(v)) {
        if (json_get(v, "password") && stat(path, &st) == 0 && (st.st_mode & 077)) {
            rc = base_err_set(&cli->err, BASE_REFUSED, "%s holds a password and others can read it",
                              path);
            base_err_hint(&cli->err, "chmod 600 %s   or use password_file in it", path);
            break;
        }
        if (!json_str(v, "name") || strcmp(json_str(v, "name"), name) != 0)
            continue;
        put(ret->url, sizeof(ret->url), json_str(v, "url"));
        put(ret->user, sizeof(ret->user), json_str(v, "user"));
        put(ret->password_file, sizeof(ret->password_file), json_str(v, "password_file"));
        put(ret->password_env, sizeof(ret->password_env), json_str(v, "password_env"));
        put(ret->password_command, sizeof(ret->password_command), json_str(v, "password_command"));
        put(ret->password, sizeof(ret->password), json_str(v, "password"));
        (void)json_num(v, "pace_ms", &ret->pace_ms);
        *ret_found = ret->url[0] != '\0';
    }
    json_free(doc);
    if (b.p)
        explicit_bzero(b.p, b.cap);
    base_buf_done(&b);
    return rc;
}

static int look_up(struct cli *cli, const char *name, struct found *ret)
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
    if (!rc && !found) /* no name of the inventory: a host */
        put(ret->url, sizeof(ret->url), name);
    return rc;
}

/* A password cut short would be a failed login, which throws everybody out. */
static int first_line(struct cli *cli, const char *text, char *to, size_t size)
{
    size_t n = text ? strcspn(text, "\r\n") : 0;
    if (n >= size)
        return base_err_set(&cli->err, BASE_USAGE, "the password is longer than %zu bytes",
                            size - 1);
    (void)snprintf(to, size, "%.*s", (int)n, text ? text : "");
    return 0;
}

static int from_file(struct cli *cli, const char *path, char *to, size_t size)
{
    struct base_buf b = { 0 };
    int rc = os_read_file(path, 4096, &b, &cli->err);
    if (!rc)
        rc = first_line(cli, b.p, to, size);
    if (b.p)
        explicit_bzero(b.p, b.cap);
    base_buf_done(&b);
    return rc;
}

/* First line of what a command prints, e.g. of a password manager. */
static int from_command(struct cli *cli, const char *command, char *to, size_t size)
{
    const char *const argv[] = { "/bin/sh", "-c", command, NULL };
    struct base_buf out = { 0 }, errout = { 0 };
    int status = 0;
    int rc = os_run(argv, base_sec(60), &out, &errout, &status, &cli->err);
    if (!rc && status)
        rc = base_err_set(&cli->err, BASE_FAILED,
                          "the inventory's password_command ended with status %d", status);
    if (!rc)
        rc = first_line(cli, out.p, to, size);
    if (out.p)
        explicit_bzero(out.p, out.cap);
    base_buf_done(&out);
    base_buf_done(&errout);
    return rc;
}

static bool from_terminal(const char *url, char *to, size_t size)
{
    struct termios was, silent;
    bool good;
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &was))
        return false;
    silent = was;
    silent.c_lflag &= ~(tcflag_t)ECHO;
    fprintf(stderr, "Password for %s: ", url);
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    good = fgets(to, (int)size, stdin) != NULL;
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
    fputc('\n', stderr);
    to[good ? strcspn(to, "\r\n") : 0] = '\0';
    return good;
}

/* *ret_has false: none was given; pages that need no login still work. */
static int get_password(struct cli *cli, const struct found *f, char *to, size_t size,
                        bool *ret_has)
{
    const char *file = cli_get(cli, "password-file"), *env = getenv("SWITCHCTL_PASSWORD");
    *ret_has = true;
    if (file)
        return from_file(cli, file, to, size);
    if (f->password_file[0])
        return from_file(cli, f->password_file, to, size);
    if (f->password_command[0])
        return from_command(cli, f->password_command, to, size);
    if (f->password_env[0] && getenv(f->password_env))
        env = getenv(f->password_env);
    else if (f->password[0])
        env = f->password;
    if (env)
        return first_line(cli, env, to, size);
    *ret_has = from_terminal(f->url, to, size);
    return 0;
}

static void write_trace(void *arg, const char *line)
{
    FILE *f = fopen(arg, "ae");
    if (!f)
        return;
    fprintf(f, "%s\n", line);
    fclose(f);
}

int target_open(struct cli *cli, struct sw_device **ret)
{
    const char *name = cli_get(cli, "switch"), *text;
    struct sw_login login = { 0 };
    struct found f = { 0 };
    char password[128] = "";
    int64_t pace = 0, timeout = 0;
    bool has = false;
    int rc;
    if (!name) {
        base_err_set(&cli->err, BASE_USAGE, "which switch? -s is missing");
        return base_err_hint(&cli->err, "e.g. %s -s http://192.168.10.12 %s", cli->prog->name,
                             cli->verb->name);
    }
    if (cli_get_nth(cli, "switch", 1)) {
        base_err_set(&cli->err, BASE_USAGE, "-s is given more than once");
        return base_err_hint(&cli->err, "one switch at a time: run it once for each");
    }
    rc = look_up(cli, name, &f);
    if (!rc && (text = cli_get(cli, "pace-ms")))
        rc = cli_number(cli, "--pace-ms", text, 0, 60000, &pace);
    if (!rc && (text = cli_get(cli, "timeout-ms")))
        rc = cli_number(cli, "--timeout-ms", text, 100, 60000, &timeout);
    if (!rc && strncmp(f.url, "replay:", 7) != 0)
        rc = get_password(cli, &f, password, sizeof(password), &has);
    if (rc)
        return rc;
    login.url = f.url;
    login.user = cli_get(cli, "user") ? cli_get(cli, "user") : f.user[0] ? f.user : NULL;
    login.password = has ? password : NULL;
    login.pace_ms = (unsigned)(pace ? pace : f.pace_ms);
    login.timeout_ms = (unsigned)timeout;
    if (cli_get(cli, "trace")) {
        login.trace = write_trace;
        login.trace_arg = (void *)(uintptr_t)cli_get(cli, "trace");
    }
    rc = sw_open(&login, ret, &cli->err);
    explicit_bzero(password, sizeof(password));
    explicit_bzero(&f, sizeof(f));
    return rc;
}

int target_may_write(struct cli *cli, const struct sw_state *st)
{
    if (st->proven == SW_PROVEN)
        return 0;
    return cli_confirm(cli,
                       "Writing to %s (firmware %s) has been proven on an emulator only, not on "
                       "the hardware. Go on?",
                       st->model, st->firmware);
}
