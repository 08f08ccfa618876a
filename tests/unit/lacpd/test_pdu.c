/* SPDX-License-Identifier: MIT */
/* test_pdu.c - LACPDUs there and back, cut off, flipped; and what tshark says of ours. */
#define _GNU_SOURCE
#include "unit.h"

#include <unistd.h>

#include "lacp/pdu.h"

enum {
    SUBTYPE = 14,
    VERSION = 15,
    ACTOR_LEN = 17,
    ACTOR_SYSTEM = 20,
    ACTOR_KEY = 26,
    ACTOR_PORT = 30,
    PARTNER_LEN = 37,
    COLLECTOR_LEN = 57
};

static const uint8_t port_mac[6] = { 2, 0, 0x5e, 0, 0, 0x42 };
static const struct lacp_pdu sample = {
    .version = 1,
    .actor = { 0x8001,
               { 0x02, 0x00, 0x5e, 0x10, 0x20, 0x30 },
               0x1234,
               0x00ff,
               0x0102,
               LACP_ACTIVITY | LACP_AGGREGATION | LACP_SYNCHRONIZATION | LACP_EXPIRED },
    .partner = { 0x7fff,
                 { 0x02, 0x00, 0x5e, 0xa0, 0xb0, 0xc0 },
                 0xabcd,
                 0x8000,
                 0xfffe,
                 LACP_TIMEOUT | LACP_COLLECTING | LACP_DISTRIBUTING | LACP_DEFAULTED },
    .collector_max_delay = 0x0567,
};

static void same_info(const struct lacp_info *a, const struct lacp_info *b)
{
    assert_int_equal(a->system_priority, b->system_priority);
    assert_memory_equal(a->system, b->system, 6);
    assert_int_equal(a->key, b->key);
    assert_int_equal(a->port_priority, b->port_priority);
    assert_int_equal(a->port, b->port);
    assert_int_equal(a->state, b->state);
}

static void same_pdu(const struct lacp_pdu *a, const struct lacp_pdu *b)
{
    assert_int_equal(a->version, b->version);
    same_info(&a->actor, &b->actor);
    same_info(&a->partner, &b->partner);
    assert_int_equal(a->collector_max_delay, b->collector_max_delay);
}

static void there_and_back(void **state)
{
    uint8_t frame[LACP_FRAME_SIZE];
    struct lacp_pdu got;
    (void)state;
    lacp_pdu_build(&sample, port_mac, frame);
    assert_int_equal(lacp_pdu_parse(frame, sizeof(frame), &got), LACP_IS_LACPDU);
    same_pdu(&got, &sample);
}

static void random_values_there_and_back(void **state)
{
    uint64_t seed = unit_seed();
    (void)state;
    for (int i = 0; i < 5000; i++) {
        struct lacp_pdu p = { .version = 1 }, got;
        uint8_t frame[LACP_FRAME_SIZE];
        struct lacp_info *both[] = { &p.actor, &p.partner };
        for (int k = 0; k < 2; k++) {
            struct lacp_info *x = both[k];
            x->system_priority = (uint16_t)unit_random(&seed);
            for (int b = 0; b < 6; b++)
                x->system[b] = (uint8_t)(unit_random(&seed) >> 24);
            x->key = (uint16_t)unit_random(&seed);
            x->port_priority = (uint16_t)unit_random(&seed);
            x->port = (uint16_t)unit_random(&seed);
            x->state = (uint8_t)unit_random(&seed);
        }
        p.actor.system[0] &= 0xfe;
        p.actor.system[5] |= 1;
        p.actor.port |= 1;
        p.collector_max_delay = (uint16_t)unit_random(&seed);
        lacp_pdu_build(&p, port_mac, frame);
        assert_int_equal(lacp_pdu_parse(frame, sizeof(frame), &got), LACP_IS_LACPDU);
        same_pdu(&got, &p);
    }
}

static void exact_bytes(void **state)
{
    static const uint8_t head[] = { 0x01, 0x80, 0xc2, 0,    0,    2,    2,    0,    0x5e, 0,
                                    0,    0x42, 0x88, 0x09, 1,    1,    1,    20,   0x80, 0x01,
                                    2,    0,    0x5e, 0x10, 0x20, 0x30, 0x12, 0x34, 0,    0xff,
                                    1,    2,    0x8d, 0,    0,    0,    2,    20,   0x7f, 0xff,
                                    2,    0,    0x5e, 0xa0, 0xb0, 0xc0, 0xab, 0xcd, 0x80, 0,
                                    0xff, 0xfe, 0x72, 0,    0,    0,    3,    16,   5,    0x67 };
    uint8_t frame[LACP_FRAME_SIZE], zero[LACP_FRAME_SIZE] = { 0 };
    (void)state;
    memset(frame, 0xee, sizeof(frame));
    lacp_pdu_build(&sample, port_mac, frame);
    assert_memory_equal(frame, head, sizeof(head));
    assert_memory_equal(frame + sizeof(head), zero, sizeof(frame) - sizeof(head));
}

static void try_frame(const uint8_t *p, size_t n, bool cut)
{
    struct lacp_pdu got, was;
    enum lacp_class c;
    memset(&got, 0xa5, sizeof(got));
    was = got;
    c = lacp_pdu_parse(p, n, &got);
    if (cut)
        assert_int_equal(c, n < 14 ? LACP_IS_FOREIGN : LACP_IS_ILLEGAL);
    if (c != LACP_IS_LACPDU)
        assert_memory_equal(&got, &was, sizeof(got));
}

static void every_length_and_every_bit(void **state)
{
    uint8_t frame[LACP_FRAME_SIZE];
    (void)state;
    lacp_pdu_build(&sample, port_mac, frame);
    unit_mangle(frame, sizeof(frame), sizeof(frame) * 8, try_frame);
}

static enum lacp_class with_byte(size_t at, uint8_t v)
{
    uint8_t frame[LACP_FRAME_SIZE];
    struct lacp_pdu got;
    lacp_pdu_build(&sample, port_mac, frame);
    frame[at] = v;
    return lacp_pdu_parse(frame, sizeof(frame), &got);
}

static void wrong_lengths(void **state)
{
    (void)state;
    for (unsigned v = 0; v < 256; v++) {
        assert_int_equal(with_byte(ACTOR_LEN, (uint8_t)v),
                         v == 20 ? LACP_IS_LACPDU : LACP_IS_ILLEGAL);
        assert_int_equal(with_byte(PARTNER_LEN, (uint8_t)v),
                         v == 20 ? LACP_IS_LACPDU : LACP_IS_ILLEGAL);
        assert_int_equal(with_byte(COLLECTOR_LEN, (uint8_t)v),
                         v == 16 ? LACP_IS_LACPDU : LACP_IS_ILLEGAL);
    }
}

static void subtypes(void **state)
{
    (void)state;
    for (unsigned v = 0; v < 256; v++) {
        enum lacp_class want = v == 1             ? LACP_IS_LACPDU
                               : v == 2           ? LACP_IS_MARKER
                               : v == 0 || v > 10 ? LACP_IS_ILLEGAL
                                                  : LACP_IS_OTHER;
        assert_int_equal(with_byte(SUBTYPE, (uint8_t)v), want);
    }
    assert_int_equal(with_byte(13, 0x08), LACP_IS_FOREIGN);
    assert_int_equal(with_byte(12, 0x08), LACP_IS_FOREIGN);
}

static void later_versions_may_have_another_collector_length(void **state)
{
    uint8_t frame[LACP_FRAME_SIZE];
    struct lacp_pdu got;
    (void)state;
    lacp_pdu_build(&sample, port_mac, frame);
    frame[COLLECTOR_LEN] = 18;
    for (unsigned v = 0; v < 256; v++) {
        frame[VERSION] = (uint8_t)v;
        assert_int_equal(lacp_pdu_parse(frame, sizeof(frame), &got),
                         v <= 1 ? LACP_IS_ILLEGAL : LACP_IS_LACPDU);
        if (v > 1)
            assert_int_equal(got.version, v);
    }
}

static void fields_that_a_receiver_does_not_look_at(void **state)
{
    static const size_t types[] = { 16, 36, 56, 33, 34, 35, 53, 54, 55, 60, 71, 72, 73, 74, 123 };
    (void)state;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        assert_int_equal(with_byte(types[i], 0xee), LACP_IS_LACPDU);
}

static void actors_that_cannot_be(void **state)
{
    uint8_t frame[LACP_FRAME_SIZE];
    struct lacp_pdu p = sample, got;
    (void)state;
    assert_int_equal(with_byte(ACTOR_SYSTEM, 0x03), LACP_IS_ILLEGAL); /* group */
    memset(p.actor.system, 0, 6);
    lacp_pdu_build(&p, port_mac, frame);
    assert_int_equal(lacp_pdu_parse(frame, sizeof(frame), &got), LACP_IS_ILLEGAL);
    p = sample;
    p.actor.port = 0;
    lacp_pdu_build(&p, port_mac, frame);
    assert_int_equal(lacp_pdu_parse(frame, sizeof(frame), &got), LACP_IS_ILLEGAL);
    p = sample;
    p.actor.key = 0;                          /* HP ProCurve */
    memset(&p.partner, 0, sizeof(p.partner)); /* nobody heard yet */
    lacp_pdu_build(&p, port_mac, frame);
    assert_int_equal(lacp_pdu_parse(frame, sizeof(frame), &got), LACP_IS_LACPDU);
    same_pdu(&got, &p);
}

static void what_follows_is_ignored(void **state)
{
    uint8_t frame[LACP_FRAME_SIZE + 40] = { 0 };
    struct lacp_pdu got;
    (void)state;
    lacp_pdu_build(&sample, port_mac, frame);
    memset(frame + LACP_FRAME_SIZE, 0xff, 40);
    assert_int_equal(lacp_pdu_parse(frame, sizeof(frame), &got), LACP_IS_LACPDU);
    same_pdu(&got, &sample);
}

static void write_pcap(const char *path, const uint8_t *frame, uint32_t n)
{
    const uint32_t head[6] = { 0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, 1 }, rec[4] = { 0, 0, n, n };
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(head, sizeof(head), 1, f) + fwrite(rec, sizeof(rec), 1, f) +
                         fwrite(frame, n, 1, f),
                     3);
    fclose(f);
}

static void tshark_reads_the_same(void **state)
{
    static const char *const fields[] = { "eth.dst",
                                          "eth.src",
                                          "slow.subtype",
                                          "lacp.version",
                                          "lacp.actor.sys_priority",
                                          "lacp.actor.sysid",
                                          "lacp.actor.key",
                                          "lacp.actor.port_priority",
                                          "lacp.actor.port",
                                          "lacp.actor.state",
                                          "lacp.partner.sys_priority",
                                          "lacp.partner.sysid",
                                          "lacp.partner.key",
                                          "lacp.partner.port_priority",
                                          "lacp.partner.port",
                                          "lacp.partner.state",
                                          "lacp.collector.max_delay",
                                          "lacp.wrong_tlv_type",
                                          "lacp.wrong_tlv_length",
                                          "_ws.malformed" };
    char path[] = "/tmp/unit_pdu_XXXXXX", command[1400], line[600] = "";
    uint8_t frame[LACP_FRAME_SIZE];
    size_t n;
    FILE *p;
    int fd;
    (void)state;
    if (system("command -v tshark >/dev/null 2>&1") != 0) {
        print_message("no tshark here: not compared with it\n");
        skip();
    }
    fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    lacp_pdu_build(&sample, port_mac, frame);
    write_pcap(path, frame, sizeof(frame));
    n = (size_t)snprintf(command, sizeof(command),
                         "tshark -n -r %s -T fields -E separator=, 2>/dev/null", path);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        n += (size_t)snprintf(command + n, sizeof(command) - n, " -e %s", fields[i]);
    p = popen(command, "r");
    assert_non_null(p);
    (void)!fgets(line, sizeof(line), p);
    pclose(p);
    unlink(path);
    line[strcspn(line, "\n")] = '\0';
    assert_string_equal(
        line,
        "01:80:c2:00:00:02,02:00:5e:00:00:42,0x01,0x01,32769,02:00:5e:10:20:30,4660,255,258,0x8d,"
        "32767,02:00:5e:a0:b0:c0,43981,32768,65534,0x72,1383,,,");
}

UNIT_TESTS(T(there_and_back), T(random_values_there_and_back), T(exact_bytes),
           T(every_length_and_every_bit), T(wrong_lengths), T(subtypes),
           T(later_versions_may_have_another_collector_length),
           T(fields_that_a_receiver_does_not_look_at), T(actors_that_cannot_be),
           T(what_follows_is_ignored), T(tshark_reads_the_same))
