/* How the description of a finding is laid out in the store: compact, with field numbers, so that
 * new fields leave old rows readable.  A field that is not known is damage: a store that has it is
 * of a newer schema, which was refused before.  What has columns of its own (kind, level,
 * evidence, fingerprint) is not in it. */
#pragma once
#include "base/forward.h"

struct dh_finding;

/* Larger descriptions are refused, so that a damaged store cannot ask for all memory. */
#define DH_CODEC_MAX_SIZE ((size_t)4 << 20)

/* Appends the description.  Equal findings give equal bytes. */
void dh_codec_encode(const struct dh_finding *f, struct dh_buf *out);
/* Fills f, everything in f's arena; fields that the bytes do not name keep their value.
 * -EBADMSG: damaged; f may be filled in part then. */
int dh_codec_decode(const void *p, size_t n, struct dh_finding *f);
