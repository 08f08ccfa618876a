/* SPDX-License-Identifier: MIT */
/* pdu.c - LACPDU codec; see lacp/pdu.h.  Knows nothing of sockets or machines. */
#include "lacp/pdu.h"

#include <string.h>

#include "base/bytes.h"

static const uint8_t slow_protocols[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x02 };

static void read_info(struct base_rd *r, struct lacp_info *i)
{
    i->system_priority = base_rd_be16(r);
    base_rd_bytes(r, i->system, 6);
    i->key = base_rd_be16(r);
    i->port_priority = base_rd_be16(r);
    i->port = base_rd_be16(r);
    i->state = base_rd_u8(r);
    base_rd_skip(r, 3);
}

static bool individual(const uint8_t mac[6])
{
    static const uint8_t zero[6];
    return !(mac[0] & 1) && memcmp(mac, zero, 6) != 0;
}

static enum lacp_class read_lacpdu(struct base_rd *r, struct lacp_pdu *ret)
{
    struct lacp_pdu p;
    uint8_t actor_len, partner_len, collector_len;
    p.version = base_rd_u8(r);
    base_rd_skip(r, 1); /* TLV type */
    actor_len = base_rd_u8(r);
    read_info(r, &p.actor);
    base_rd_skip(r, 1);
    partner_len = base_rd_u8(r);
    read_info(r, &p.partner);
    base_rd_skip(r, 1);
    collector_len = base_rd_u8(r);
    p.collector_max_delay = base_rd_be16(r);
    base_rd_skip(r, 12 + 2 + 50);
    if (r->bad || actor_len != 20 || partner_len != 20 || (p.version <= 1 && collector_len != 16))
        return LACP_IS_ILLEGAL;
    if (!individual(p.actor.system) || p.actor.port == 0)
        return LACP_IS_ILLEGAL;
    *ret = p;
    return LACP_IS_LACPDU;
}

enum lacp_class lacp_pdu_parse(const uint8_t *frame, size_t n, struct lacp_pdu *ret)
{
    struct base_rd r = base_rd_init(frame, n);
    uint16_t ether;
    uint8_t subtype;
    base_rd_skip(&r, 12);
    ether = base_rd_be16(&r);
    subtype = base_rd_u8(&r);
    if (r.bad && n < 14)
        return LACP_IS_FOREIGN;
    if (ether != LACP_ETHERTYPE)
        return LACP_IS_FOREIGN;
    if (r.bad || subtype == 0 || subtype > 10)
        return LACP_IS_ILLEGAL;
    if (subtype == 2)
        return LACP_IS_MARKER;
    return subtype == 1 ? read_lacpdu(&r, ret) : LACP_IS_OTHER;
}

static void write_info(struct base_wr *w, uint8_t type, const struct lacp_info *i)
{
    base_wr_u8(w, type);
    base_wr_u8(w, 20);
    base_wr_be16(w, i->system_priority);
    base_wr_bytes(w, i->system, 6);
    base_wr_be16(w, i->key);
    base_wr_be16(w, i->port_priority);
    base_wr_be16(w, i->port);
    base_wr_u8(w, i->state);
    base_wr_zero(w, 3);
}

void lacp_pdu_build(const struct lacp_pdu *pdu, const uint8_t src[6],
                    uint8_t frame[LACP_FRAME_SIZE])
{
    struct base_wr w = base_wr_init(frame, LACP_FRAME_SIZE);
    base_wr_bytes(&w, slow_protocols, 6);
    base_wr_bytes(&w, src, 6);
    base_wr_be16(&w, LACP_ETHERTYPE);
    base_wr_u8(&w, 1); /* subtype */
    base_wr_u8(&w, 1); /* version */
    write_info(&w, 1, &pdu->actor);
    write_info(&w, 2, &pdu->partner);
    base_wr_u8(&w, 3);
    base_wr_u8(&w, 16);
    base_wr_be16(&w, pdu->collector_max_delay);
    base_wr_zero(&w, 12 + 2 + 50);
}
