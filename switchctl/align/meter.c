/* SPDX-License-Identifier: MIT */
/* meter.c - measuring the gap that a change makes, by asking all the while; see align.h.
 *
 * ARP requests with sender address 0.0.0.0 and the bond's own MAC, sent through the bond itself: they take the way that
 * traffic takes, and change nobody's cache. */
#define _GNU_SOURCE
#include "align.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frames.h"
#include "live.h"
#include "os.h"

#define EVERY_MS 10

static void ask(struct wire_live *w, const struct wire_arp *q)
{
    uint8_t frame[WIRE_ARP_SIZE];
    wire_arp_build(q, frame);
    (void)wire_live_send(w, frame, sizeof(frame));
}

static bool answered(struct wire_live *w, const struct wire_arp *q)
{
    uint8_t frame[2048];
    struct wire_arp a;
    bool got = false;
    size_t n;
    while ((n = wire_live_recv(w, frame, sizeof(frame))) > 0)
        got = got || (wire_arp_parse(frame, n, &a) && a.reply &&
                      a.sender_ip.s_addr == q->target_ip.s_addr &&
                      base_mac_equal(a.target_mac, q->sender_mac));
    return got;
}

/* Until the pipe closes at the other end. */
static double measure(struct wire_live *w, const struct wire_arp *q, int fd)
{
    struct wire_live stop = { .fd = fd };
    struct wire_live *both[] = { &stop };
    base_time last = { 0 };
    int64_t longest = 0;
    bool ever = false, over = false;
    while (!over) {
        base_time now;
        ask(w, q);
        over = wire_live_wait(both, 1, base_after(os_now(), base_ms(EVERY_MS)));
        now = os_now();
        if (answered(w, q)) {
            if (ever && base_since(now, last).ns > longest)
                longest = base_since(now, last).ns;
            last = now;
            ever = true;
        } else if (over && ever && base_since(now, last).ns > longest) {
            longest = base_since(now, last).ns;
        }
    }
    return ever ? (double)longest / 1e6 : -1;
}

bool meter_start(struct meter *m, int bond_ifindex, const uint8_t mac[6], const char *address)
{
    struct wire_arp q = { 0 };
    struct wire_live w;
    int pair[2];
    *m = (struct meter){ .fd = -1 };
    memset(q.eth_dst.b, 0xff, 6);
    memcpy(q.eth_src.b, mac, 6);
    q.sender_mac = q.eth_src;
    if (inet_pton(AF_INET, address, &q.target_ip) != 1 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        return false;
    m->pid = fork();
    if (m->pid == 0) {
        double ms;
        /* Nothing of the parent may live on in here, least of all its line to the keeper. */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int fd = 3; fd < 1024; fd++)
            if (fd != pair[1])
                close(fd);
        if (wire_live_open(bond_ifindex, 0x0806, false, &w, NULL))
            _exit(1);
        ms = measure(&w, &q, pair[1]);
        (void)!write(pair[1], &ms, sizeof(ms));
        _exit(0);
    }
    close(pair[1]);
    m->fd = pair[0];
    return m->pid > 0;
}

double meter_stop(struct meter *m)
{
    double ms = -1;
    if (m->fd < 0)
        return -1;
    (void)shutdown(m->fd, SHUT_WR);
    if (read(m->fd, &ms, sizeof(ms)) != (ssize_t)sizeof(ms))
        ms = -1;
    close(m->fd);
    m->fd = -1;
    (void)waitpid(m->pid, NULL, 0);
    return ms;
}
