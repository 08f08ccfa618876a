/* SPDX-License-Identifier: MIT */
/* device.h - one switch behind its web pages: read it, change it safely.
 *
 * Every write is checked before, sent once, and read back; what a device refused is put back.  A handle stays usable in
 * a forked child: nothing is kept open between requests.  Passwords live in the handle only. */
#ifndef SW_DEVICE_H
#define SW_DEVICE_H

#include "sw/model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sw_device;

struct sw_login {
    const char
        *url; /* "http://192.0.2.10", or just the host; "replay:FILE" plays a transcript back */
    const char *user, *password;
    const char *dialect; /* the only one to believe in; NULL = whichever answers */
    unsigned pace_ms;    /* between requests; 0 = 350, what small web servers need */
    unsigned timeout_ms; /* per request; 0 = 3000 */
    void (*trace)(void *arg,
                  const char *line); /* takes the transcript, without secrets; NULL = none */
    void *trace_arg;
};

/* Nothing is sent yet, but the host's name is resolved (once).
 * Errors: BASE_USAGE (also for a dialect that there is none of), BASE_UNREACHABLE. */
SW_API int sw_open(const struct sw_login *login, struct sw_device **ret, struct base_err *err);
SW_API void sw_close(struct sw_device *d); /* wipes the password; NULL is fine */
SW_API const char *sw_url(const struct sw_device *d);

/* Calls fn whenever a request got no answer, before it is tried again or settled by reading back: the caller may be
 * able to mend the way to the switch.  NULL = no more. */
SW_API void sw_on_silence(struct sw_device *d, void (*fn)(void *arg), void *arg);

/* Which dialect and model answers, without logging in: fills dialect and model of *ret.
 * Errors: BASE_UNREACHABLE, BASE_UNSUPPORTED (a known device without a dialect), BASE_MALFORMED (anything else). */
SW_API int sw_identify(struct sw_device *d, struct sw_state *ret, struct base_err *err);

/* Everything that the model holds, but for the MAC table.
 * Errors: BASE_WRONG_LOGIN (one try only), BASE_UNREACHABLE, BASE_MALFORMED (cut-off or foreign page). */
SW_API int sw_read(struct sw_device *d, struct sw_state *ret, struct base_err *err);
/* Groups and frame size anew, into a state that sw_read filled before. */
SW_API int sw_read_groups(struct sw_device *d, struct sw_state *st, struct base_err *err);
/* The address of the device, as it was resolved: text of an IPv4 or IPv6 address. */
SW_API const char *sw_address(const struct sw_device *d);
/* Does anybody answer a connection to its web port within `ms`?  Sends no request. */
SW_API bool sw_answers(const struct sw_device *d, int ms);
/* MAC table; *ret is owned by the caller (free). */
SW_API int sw_macs(struct sw_device *d, struct sw_mac **ret, size_t *ret_n, struct base_err *err);

/* Makes group want->group be exactly this.  *ret_changed false = it was so already, nothing was written.
 * Errors: as sw_lag_check before writing; BASE_ROLLED_BACK when the device refused and the old group is back. */
SW_API int sw_lag_set(struct sw_device *d, const struct sw_lag *want, bool *ret_changed,
                      struct base_err *err);
SW_API int sw_lag_del(struct sw_device *d, unsigned group, bool *ret_changed, struct base_err *err);
/* Frame size in the device's own unit; must be one of its choices. */
SW_API int sw_frame_set(struct sw_device *d, uint32_t bytes, bool *ret_changed,
                        struct base_err *err);
/* Makes groups and frame size equal to `before`; idempotent, writes only what differs.  For undo.
 * Errors: BASE_MALFORMED when `before` does not say what a group was (nothing is written then). */
SW_API int sw_restore(struct sw_device *d, const struct sw_state *before, bool *ret_changed,
                      struct base_err *err);
/* Running configuration into flash: survives a power cycle. */
SW_API int sw_save(struct sw_device *d, struct base_err *err);
/* The device's own backup file, owned by the caller (free). */
SW_API int sw_backup(struct sw_device *d, char **ret, size_t *ret_n, struct base_err *err);

#ifdef __cplusplus
}
#endif

#endif
