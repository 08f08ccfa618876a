/* SPDX-License-Identifier: MIT */
/* api.h - export marker of liblink. */
#ifndef LINK_LINK_API_H
#define LINK_LINK_API_H

#if defined(__GNUC__)
#define LINK_API __attribute__((visibility("default")))
#else
#define LINK_API
#endif

#endif
