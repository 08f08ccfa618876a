/* SPDX-License-Identifier: MIT */
/* bond_opts.c - the table of bonding options and what follows from it: parse, format, pre-check.
 *
 * Pure.  Numbers and names are facts of the kernel's user API (see bond_opts.h); a new kernel option is one row here. */
#include "link/bond_opts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mac.h"

#define ALL   0x7f
#define M(x)  (1 << LINK_BOND_##x)
#define NO_AD ((uint8_t)(M(BALANCE_RR) | M(ACTIVE_BACKUP) | M(BALANCE_XOR) | M(BROADCAST)))
#define ONE   ((uint8_t)(M(ACTIVE_BACKUP) | M(BALANCE_TLB) | M(BALANCE_ALB)))

static const char *const mode_names[] = { "balance-rr", "active-backup", "balance-xor", "broadcast",
                                          "802.3ad",    "balance-tlb",   "balance-alb", NULL };
static const char *const off_on[] = { "off", "on", NULL };
static const char *const validate_names[] = { "none",   "active",        "backup",        "all",
                                              "filter", "filter_active", "filter_backup", NULL };
static const char *const any_all[] = { "any", "all", NULL };
static const char *const reselect_names[] = { "always", "better", "failure", NULL };
static const char *const fom_names[] = { "none", "active", "follow", NULL };
static const char *const hash_names[] = { "layer2",   "layer3+4",    "layer2+3", "encap2+3",
                                          "encap3+4", "vlan+srcmac", NULL };
static const char *const rate_names[] = { "slow", "fast", NULL };
static const char *const select_names[] = { "stable", "bandwidth", "count", "prio", NULL };
static const char *const dropped_names[] = { "dropped", "delivered", NULL };

/* clang-format off */
static const struct link_bond_opt_info table[LINK_BOND_OPTS] = {
    [LINK_BOND_MODE]               = { .name = "mode", .json = "mode", .help = "how members share traffic; also lacp or static", .type = LINK_NAMES, .names = mode_names, .attr = 1, .width = 1, .modes = ALL, .needs_down = true, .needs_empty = true },
    [LINK_BOND_ACTIVE_MEMBER]      = { .name = "active-slave", .json = "active_member", .help = "the member that carries traffic now", .type = LINK_DEVICE, .attr = 2, .width = 4, .modes = ONE },
    [LINK_BOND_MIIMON]             = { .name = "miimon", .json = "miimon_ms", .help = "link check interval in ms; 0 = never notices a dead link", .max = INT32_MAX, .attr = 3, .width = 4, .modes = ALL },
    [LINK_BOND_UPDELAY]            = { .name = "updelay", .json = "updelay_ms", .help = "ms to wait after link up", .max = INT32_MAX, .attr = 4, .width = 4, .modes = ALL },
    [LINK_BOND_DOWNDELAY]          = { .name = "downdelay", .json = "downdelay_ms", .help = "ms to wait after link down", .max = INT32_MAX, .attr = 5, .width = 4, .modes = ALL },
    [LINK_BOND_USE_CARRIER]        = { .name = "use-carrier", .json = "use_carrier", .help = "ask the driver's carrier flag", .type = LINK_NAMES, .names = off_on, .attr = 6, .width = 1, .modes = ALL },
    [LINK_BOND_ARP_INTERVAL]       = { .name = "arp-interval", .json = "arp_interval_ms", .help = "ARP monitoring interval in ms; excludes miimon", .max = INT32_MAX, .attr = 7, .width = 4, .modes = NO_AD },
    [LINK_BOND_ARP_IP_TARGET]      = { .name = "arp-ip-target", .json = "arp_ip_target", .help = "IPv4 addresses to ask, comma between them", .type = LINK_IP4S, .attr = 8, .modes = ALL },
    [LINK_BOND_ARP_VALIDATE]       = { .name = "arp-validate", .json = "arp_validate", .help = "which members' ARP answers are checked", .type = LINK_NAMES, .names = validate_names, .attr = 9, .width = 4, .modes = NO_AD },
    [LINK_BOND_ARP_ALL_TARGETS]    = { .name = "arp-all-targets", .json = "arp_all_targets", .help = "up with any or with all targets", .type = LINK_NAMES, .names = any_all, .attr = 10, .width = 4, .modes = ALL },
    [LINK_BOND_PRIMARY]            = { .name = "primary", .json = "primary", .help = "preferred member", .type = LINK_DEVICE, .attr = 11, .width = 4, .modes = ONE },
    [LINK_BOND_PRIMARY_RESELECT]   = { .name = "primary-reselect", .json = "primary_reselect", .help = "when to return to the primary", .type = LINK_NAMES, .names = reselect_names, .attr = 12, .width = 1, .modes = ALL },
    [LINK_BOND_FAIL_OVER_MAC]      = { .name = "fail-over-mac", .json = "fail_over_mac", .help = "whose MAC address the bond has after failover", .type = LINK_NAMES, .names = fom_names, .attr = 13, .width = 1, .modes = ALL, .needs_empty = true },
    [LINK_BOND_XMIT_HASH_POLICY]   = { .name = "xmit-hash-policy", .json = "xmit_hash_policy", .help = "what picks the member for a frame", .type = LINK_NAMES, .names = hash_names, .attr = 14, .width = 1, .modes = ALL },
    [LINK_BOND_RESEND_IGMP]        = { .name = "resend-igmp", .json = "resend_igmp", .help = "IGMP reports after failover", .max = 255, .attr = 15, .width = 4, .modes = ALL },
    [LINK_BOND_NUM_PEER_NOTIF]     = { .name = "num-peer-notif", .json = "num_peer_notif", .help = "gratuitous ARPs and NAs after failover", .max = 255, .attr = 16, .width = 1, .modes = ALL },
    [LINK_BOND_ALL_MEMBERS_ACTIVE] = { .name = "all-slaves-active", .json = "all_slaves_active", .help = "deliver what inactive members receive", .type = LINK_NAMES, .names = dropped_names, .attr = 17, .width = 1, .modes = ALL },
    [LINK_BOND_MIN_LINKS]          = { .name = "min-links", .json = "min_links", .help = "members needed for carrier", .max = INT32_MAX, .attr = 18, .width = 4, .modes = ALL },
    [LINK_BOND_LP_INTERVAL]        = { .name = "lp-interval", .json = "lp_interval_s", .help = "seconds between learning packets", .min = 1, .max = INT32_MAX, .attr = 19, .width = 4, .modes = ALL },
    [LINK_BOND_PACKETS_PER_MEMBER] = { .name = "packets-per-slave", .json = "packets_per_slave", .help = "frames before the next member", .max = 65535, .attr = 20, .width = 4, .modes = (uint8_t)M(BALANCE_RR) },
    [LINK_BOND_LACP_RATE]          = { .name = "lacp-rate", .json = "lacp_rate", .help = "how often the partner shall send: every 30 s or 1 s", .type = LINK_NAMES, .names = rate_names, .attr = 21, .width = 1, .modes = (uint8_t)M(8023AD), .needs_down = true },
    [LINK_BOND_AD_SELECT]          = { .name = "ad-select", .json = "ad_select", .help = "which aggregator is chosen", .type = LINK_NAMES, .names = select_names, .attr = 22, .width = 1, .modes = ALL, .needs_down = true },
    [LINK_BOND_AD_ACTOR_SYS_PRIO]  = { .name = "ad-actor-sys-prio", .json = "ad_actor_sys_prio", .help = "LACP system priority", .min = 1, .max = 65535, .attr = 24, .width = 2, .modes = (uint8_t)M(8023AD) },
    [LINK_BOND_AD_USER_PORT_KEY]   = { .name = "ad-user-port-key", .json = "ad_user_port_key", .help = "upper ten bits of the LACP key", .max = 1023, .attr = 25, .width = 2, .modes = (uint8_t)M(8023AD), .needs_down = true },
    [LINK_BOND_AD_ACTOR_SYSTEM]    = { .name = "ad-actor-system", .json = "ad_actor_system", .help = "LACP system MAC address", .type = LINK_MAC, .attr = 26, .width = 6, .modes = (uint8_t)M(8023AD) },
    [LINK_BOND_TLB_DYNAMIC_LB]     = { .name = "tlb-dynamic-lb", .json = "tlb_dynamic_lb", .help = "move flows by load", .type = LINK_NAMES, .names = off_on, .attr = 27, .width = 1, .modes = (uint8_t)(M(BALANCE_TLB) | M(BALANCE_ALB)), .needs_down = true },
    [LINK_BOND_PEER_NOTIF_DELAY]   = { .name = "peer-notif-delay", .json = "peer_notif_delay_ms", .help = "ms between notifications", .max = 300000, .attr = 28, .width = 4, .modes = ALL, .major = 5, .minor = 3 },
    [LINK_BOND_LACP_ACTIVE]        = { .name = "lacp-active", .json = "lacp_active", .help = "off = only answer LACP", .type = LINK_NAMES, .names = off_on, .attr = 29, .width = 1, .modes = (uint8_t)M(8023AD), .needs_down = true, .major = 5, .minor = 15 },
    [LINK_BOND_MISSED_MAX]         = { .name = "arp-missed-max", .json = "arp_missed_max", .help = "ARP checks missed before down", .min = 1, .max = 255, .attr = 30, .width = 1, .modes = NO_AD, .major = 5, .minor = 17 },
    [LINK_BOND_NS_IP6_TARGET]      = { .name = "ns-ip6-target", .json = "ns_ip6_target", .help = "IPv6 addresses to ask, comma between them", .type = LINK_IP6S, .attr = 31, .modes = ALL, .major = 5, .minor = 19 },
    [LINK_BOND_COUPLED_CONTROL]    = { .name = "coupled-control", .json = "coupled_control", .help = "LACP: collect and distribute together", .type = LINK_NAMES, .names = off_on, .attr = 32, .width = 1, .modes = (uint8_t)M(8023AD), .needs_down = true, .major = 6, .minor = 9 },
    [LINK_BOND_BROADCAST_NEIGH]    = { .name = "broadcast-neighbor", .json = "broadcast_neighbor", .help = "LACP: send ARP and ND on all members", .type = LINK_NAMES, .names = off_on, .attr = 33, .width = 1, .modes = (uint8_t)M(8023AD), .major = 6, .minor = 17 },
};
/* clang-format on */

const struct link_bond_opt_info *link_bond_opt_info(enum link_bond_opt opt)
{
    return &table[opt];
}

const char *link_bond_mode_name(uint64_t mode)
{
    return mode < LINK_BOND_MODES ? mode_names[mode] : NULL;
}

static int word_index(const char *const *names, const char *text)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], text))
            return i;
    return -1;
}

int link_bond_mode_parse(const char *text, uint64_t *ret, struct base_err *err)
{
    int i = word_index(mode_names, text);
    if (i < 0 && text[0] >= '0' && text[0] <= '6' && !text[1])
        i = text[0] - '0';
    if (i < 0 && !strcmp(text, "lacp"))
        i = LINK_BOND_8023AD;
    if (i < 0 && !strcmp(text, "static"))
        i = LINK_BOND_BALANCE_XOR;
    if (i < 0) {
        base_err_set(err, BASE_USAGE, "unknown bond mode %s", text);
        return base_err_hint(
            err, "modes: lacp (802.3ad), static (balance-xor), active-backup, balance-rr, "
                 "broadcast, balance-tlb, balance-alb");
    }
    *ret = (uint64_t)i;
    return 0;
}

static struct base_mac mac_of(uint64_t v)
{
    struct base_mac m;
    for (int i = 0; i < 6; i++)
        m.b[i] = (uint8_t)(v >> (40 - 8 * i));
    return m;
}

static void format_list(const struct link_bond_opts *o, bool v6, char *text, size_t size)
{
    unsigned n = v6 ? o->n_ns_ip6 : o->n_arp_ip;
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < n && used < size; i++) {
        char one[INET6_ADDRSTRLEN];
        const void *a = v6 ? (const void *)&o->ns_ip6[i] : (const void *)&o->arp_ip[i];
        (void)inet_ntop(v6 ? AF_INET6 : AF_INET, a, one, sizeof(one));
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "," : "", one);
    }
}

void link_bond_opt_format(const struct link_bond_opts *o, enum link_bond_opt opt, char *text,
                          size_t size)
{
    const struct link_bond_opt_info *t = &table[opt];
    uint64_t v = o->num[opt];
    unsigned n = 0;
    switch (t->type) {
    case LINK_NAMES:
        while (t->names[n])
            n++;
        if (v < n) {
            (void)snprintf(text, size, "%s", t->names[v]);
            return;
        }
        break;
    case LINK_MAC: {
        char mac[BASE_MAC_TEXT];
        (void)snprintf(text, size, "%s", base_mac_format(mac_of(v), mac));
        return;
    }
    case LINK_IP4S:
    case LINK_IP6S:
        format_list(o, t->type == LINK_IP6S, text, size);
        return;
    case LINK_NUMBER:
    case LINK_DEVICE:
        break;
    }
    (void)snprintf(text, size, "%llu", (unsigned long long)v);
}

static int parse_list(struct link_bond_opts *o, bool v6, const char *text)
{
    unsigned n = 0;
    while (*text) {
        size_t len = strcspn(text, ",");
        char one[INET6_ADDRSTRLEN];
        if (len == 0 || len >= sizeof(one) || n == LINK_BOND_TARGETS)
            return -1;
        memcpy(one, text, len);
        one[len] = '\0';
        if (inet_pton(v6 ? AF_INET6 : AF_INET, one,
                      v6 ? (void *)&o->ns_ip6[n] : (void *)&o->arp_ip[n]) != 1)
            return -1;
        n++;
        text += len + (text[len] == ',');
        if (!*text && text[-1] == ',')
            return -1;
    }
    *(v6 ? &o->n_ns_ip6 : &o->n_arp_ip) = n;
    return 0;
}

static int bad_value(enum link_bond_opt opt, const char *text, struct base_err *err)
{
    const struct link_bond_opt_info *t = &table[opt];
    char words[160] = "";
    size_t used = 0;
    switch (t->type) {
    case LINK_NAMES:
        for (int i = 0; t->names[i] && used < sizeof(words); i++)
            used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s", i ? ", " : "",
                                     t->names[i]);
        break;
    case LINK_MAC:
        (void)snprintf(words, sizeof(words), "a MAC address");
        break;
    case LINK_IP4S:
    case LINK_IP6S:
        (void)snprintf(words, sizeof(words), "up to %d IPv%c addresses with commas between them",
                       LINK_BOND_TARGETS, t->type == LINK_IP6S ? '6' : '4');
        break;
    case LINK_NUMBER:
    case LINK_DEVICE:
        (void)snprintf(words, sizeof(words), "a number from %llu to %llu",
                       (unsigned long long)t->min, (unsigned long long)t->max);
        break;
    }
    base_err_set(err, BASE_USAGE, "--%s takes %s, not '%s'", t->name, words, text);
    return base_err_hint(err, "see: linkctl bond set --help");
}

int link_bond_opt_parse(struct link_bond_opts *o, enum link_bond_opt opt, const char *text,
                        struct base_err *err)
{
    const struct link_bond_opt_info *t = &table[opt];
    char *end = NULL;
    uint64_t v = 0;
    int word = t->type == LINK_NAMES ? word_index(t->names, text) : -1;
    struct base_mac mac;
    if (opt == LINK_BOND_MODE) {
        int rc = link_bond_mode_parse(text, &v, err);
        if (rc)
            return rc;
    } else if (t->type == LINK_IP4S || t->type == LINK_IP6S) {
        if (parse_list(o, t->type == LINK_IP6S, text))
            return bad_value(opt, text, err);
    } else if (t->type == LINK_MAC) {
        if (!base_mac_parse(text, &mac))
            return bad_value(opt, text, err);
        for (int i = 0; i < 6; i++)
            v = v << 8 | mac.b[i];
    } else if (word >= 0) {
        v = (uint64_t)word;
    } else {
        uint64_t max = t->max;
        for (int i = 0; t->type == LINK_NAMES && t->names[i]; i++)
            max = (uint64_t)i;
        errno = 0;
        v = strtoull(text, &end, 10);
        if (errno || end == text || *end || text[0] == '-' || v < t->min || v > max)
            return bad_value(opt, text, err);
    }
    link_bond_put(o, opt, v);
    return 0;
}

int link_bond_opts_check(const struct link_bond_opts *o, uint64_t mode, struct base_err *err)
{
    for (int i = 0; i < LINK_BOND_OPTS; i++) {
        if (!link_bond_has(o, (enum link_bond_opt)i) || (table[i].modes >> mode & 1))
            continue;
        base_err_set(err, BASE_USAGE, "--%s does not exist in mode %s", table[i].name,
                     link_bond_mode_name(mode));
        return base_err_hint(err, "leave it out, or choose another mode");
    }
    if (link_bond_has(o, LINK_BOND_ARP_INTERVAL) && o->num[LINK_BOND_ARP_INTERVAL] &&
        link_bond_has(o, LINK_BOND_MIIMON) && o->num[LINK_BOND_MIIMON]) {
        base_err_set(
            err, BASE_USAGE,
            "--miimon and --arp-interval exclude each other: the kernel zeroes one of them");
        return base_err_hint(err, "keep one; miimon 100 is right for most");
    }
    return 0;
}
