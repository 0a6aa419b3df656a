/* Names of the types that nearly every header passes by pointer, and the
 * attributes that all code uses.  Include this instead of the full headers. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dh_error;
struct dh_arena;
struct dh_buf;
struct dh_json;

#define DH_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define DH_CLEANUP(fn)       __attribute__((cleanup(fn)))
#define DH_NORETURN          __attribute__((noreturn))
#define DH_UNUSED            __attribute__((unused))
#define DH_ARRAY_SIZE(a)     (sizeof(a) / sizeof((a)[0]))
#define DH_MIN(a, b)         ((a) < (b) ? (a) : (b))
#define DH_MAX(a, b)         ((a) > (b) ? (a) : (b))
