/* SPDX-License-Identifier: MIT */
/* target.c - see target.h.  Passwords come from a file, the environment, the inventory or a prompt, never from the
 * command line, and are wiped after use. */
#define _GNU_SOURCE
#include "target.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "inventory.h"
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

/* Reads a line of the terminal.  Ctrl-C and its like wait until `was` is set again: a terminal without echo is no
 * terminal to leave behind.  false: no line. */
static bool silent_line(const struct termios *was, char *to, size_t size)
{
    struct termios silent = *was;
    struct pollfd p[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
                           { .fd = -1, .events = POLLIN } };
    sigset_t stop, mask;
    bool good;
    (void)sigemptyset(&stop);
    (void)sigaddset(&stop, SIGINT);
    (void)sigaddset(&stop, SIGQUIT);
    (void)sigaddset(&stop, SIGTERM);
    (void)sigaddset(&stop, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, &stop, &mask);
    p[1].fd = signalfd(-1, &stop, SFD_CLOEXEC);
    silent.c_lflag &= ~(tcflag_t)ECHO;
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent);
    good = p[1].fd >= 0 && poll(p, 2, -1) > 0 && !p[1].revents && fgets(to, (int)size, stdin);
    (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, was);
    fputc('\n', stderr);
    if (p[1].fd >= 0)
        close(p[1].fd);
    (void)sigprocmask(SIG_SETMASK, &mask, NULL); /* what waited ends us here */
    return good;
}

static int from_terminal(struct cli *cli, const char *url, char *to, size_t size, bool *ret_has)
{
    char typed[512] = "";
    struct termios was;
    int rc = 0;
    *ret_has = false;
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &was))
        return 0;
    fprintf(stderr, "Password for %s: ", strchr(url, '@') ? "the switch" : url);
    *ret_has = silent_line(&was, typed, sizeof(typed));
    if (*ret_has)
        rc = first_line(cli, typed, to, size);
    explicit_bzero(typed, sizeof(typed));
    return rc;
}

/* *ret_has false: none was given; pages that need no login still work. */
static int get_password(struct cli *cli, const struct inventory_entry *f, char *to, size_t size,
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
    return from_terminal(cli, f->url, to, size, ret_has);
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
    struct inventory_entry f = { 0 };
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
    rc = inventory_find(cli, name, &f);
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
    login.dialect = f.dialect[0] ? f.dialect : NULL;
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
