/* SPDX-License-Identifier: MIT */
/* help.c - help at every level, made from the verb table, so that it cannot disagree with what is parsed. */
#include "help.h"

#include <stdio.h>
#include <string.h>

bool help_is_noun(const struct cli_prog *prog, const char *word)
{
    size_t n = strlen(word);
    for (const struct cli_verb *v = prog->verbs; v->name; v++)
        if (!strncmp(v->name, word, n) && v->name[n] == ' ')
            return true;
    return false;
}

static void print_opts(const char *title, const struct cli_opt *o)
{
    if (!o || !o->name)
        return;
    printf("\n%s\n", title);
    for (; o->name; o++) {
        char left[64];
        (void)snprintf(left, sizeof(left), "--%s%s%s", o->name, o->arg ? " " : "",
                       o->arg ? o->arg : "");
        if (o->letter)
            printf("  -%c, %-24s %s\n", o->letter, left, o->help);
        else
            printf("      %-24s %s\n", left, o->help);
    }
}

static void print_example(const char *example)
{
    if (!example)
        return;
    printf("\nExample%s\n", strchr(example, '\n') ? "s" : "");
    while (*example) {
        size_t n = strcspn(example, "\n");
        printf("  %.*s\n", (int)n, example);
        example += n + (example[n] == '\n');
    }
}

static void print_verb(const struct cli_prog *prog, const struct cli_verb *v)
{
    printf("%s %s - %s\n\nUsage: %s [options] %s %s\n", prog->name, v->name, v->help, prog->name,
           v->name, v->args ? v->args : "");
    print_opts("Options", v->opts);
    print_opts(v->opts ? "More options" : "Options", v->more);
    print_example(v->example);
    printf("\nGlobal options: %s --help\n", prog->name);
}

static void print_list(const struct cli_prog *prog, const char *noun)
{
    size_t n = noun ? strlen(noun) : 0;
    for (const struct cli_verb *v = prog->verbs; v->name; v++) {
        char left[80];
        if (noun && (strncmp(v->name, noun, n) || (v->name[n] && v->name[n] != ' ')))
            continue;
        (void)snprintf(left, sizeof(left), "%s %s", v->name, v->args ? v->args : "");
        if (strlen(left) > 33)
            printf("  %s\n  %-34s%s\n", left, "", v->help);
        else
            printf("  %-33s %s\n", left, v->help);
    }
}

static void print_program(const struct cli_prog *prog)
{
    printf("%s - %s\n\nUsage: %s [global options] COMMAND [arguments]\n\nCommands\n", prog->name,
           prog->about, prog->name);
    print_list(prog, NULL);
    print_opts("Global options", cli_globals);
    print_opts("Options of this program", prog->opts);
    if (prog->epilog)
        printf("\n%s\n", prog->epilog);
    printf("\nHelp and an example for each command: %s COMMAND --help\n", prog->name);
}

int help_print(struct cli *cli, int n, char *const words[])
{
    if (cli->verb && n)
        print_verb(cli->prog, cli->verb);
    else if (n && help_is_noun(cli->prog, words[0])) {
        printf("%s %s\n\nCommands\n", cli->prog->name, words[0]);
        print_list(cli->prog, words[0]);
        printf("\nHelp and an example for each: %s %s VERB --help\n", cli->prog->name, words[0]);
    } else
        print_program(cli->prog);
    return 0;
}
