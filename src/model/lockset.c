#include "model/lockset.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/map.h"

/* A set is a slice of the pool; sets of equal hash are chained. */
struct slice {
	size_t at;
	uint32_t n;
	uint32_t next; /* id + 1 of the next set with the same hash, 0: none */
};

enum op { OP_ADD, OP_REMOVE, OP_INTERSECT, OP_UNION, OP_COUNT };

struct dh_locksets {
	uint32_t *pool;
	size_t pool_n, pool_cap;
	struct slice *sets;
	size_t n, cap;
	struct dh_map by_hash; /* hash -> id of the first of the chain */
	struct dh_map memo[OP_COUNT];
	uint32_t *scratch; /* the result of an operation before it is interned */
	size_t scratch_cap;
};

struct dh_locksets *dh_locksets_new(void)
{
	struct dh_locksets *t = dh_new(struct dh_locksets);

	t->pool_cap = 64; /* so that even the empty set lies somewhere */
	t->pool = dh_new_n(uint32_t, t->pool_cap);
	/* The empty set comes first, so its id is DH_LOCKSET_EMPTY. */
	dh_lockset_of(t, NULL, 0);
	return t;
}

void dh_locksets_free(struct dh_locksets *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < OP_COUNT; i++)
		dh_map_release(&t->memo[i]);
	dh_map_release(&t->by_hash);
	free(t->pool);
	free(t->sets);
	free(t->scratch);
	free(t);
}

size_t dh_locksets_count(const struct dh_locksets *t)
{
	return t->n;
}

const uint32_t *dh_lockset_locks(const struct dh_locksets *t, uint32_t set, size_t *ret_n)
{
	assert(set < t->n);
	*ret_n = t->sets[set].n;
	return t->pool + t->sets[set].at;
}

static uint32_t *scratch(struct dh_locksets *t, size_t n)
{
	if (n > t->scratch_cap) {
		t->scratch_cap = n * 2;
		t->scratch = dh_reallocarray(t->scratch, t->scratch_cap, sizeof(*t->scratch));
	}
	return t->scratch;
}

static uint32_t append(struct dh_locksets *t, const uint32_t *locks, size_t n)
{
	if (t->pool_n + n > t->pool_cap) {
		t->pool_cap = (t->pool_n + n) * 2;
		t->pool = dh_reallocarray(t->pool, t->pool_cap, sizeof(*t->pool));
	}
	if (n)
		memcpy(t->pool + t->pool_n, locks, n * sizeof(*locks));
	DH_GROW(t->sets, t->n, t->cap);
	t->sets[t->n] = (struct slice){.at = t->pool_n, .n = (uint32_t)n};
	t->pool_n += n;
	return (uint32_t)t->n++;
}

/* locks is sorted, without duplicates. */
static uint32_t intern(struct dh_locksets *t, const uint32_t *locks, size_t n)
{
	uint64_t hash = XXH3_64bits(locks ? locks : (const uint32_t *)"", n * sizeof(*locks));
	uint64_t head = 0;
	uint32_t id;
	bool chained = dh_map_get(&t->by_hash, hash, &head);

	if (chained) {
		for (uint32_t i = (uint32_t)head + 1; i; i = t->sets[i - 1].next) {
			const struct slice *s = &t->sets[i - 1];

			if (s->n == n &&
				(!n || memcmp(t->pool + s->at, locks, n * sizeof(*locks)) == 0))
				return i - 1;
		}
	}
	id = append(t, locks, n);
	t->sets[id].next = chained ? (uint32_t)head + 1 : 0;
	dh_map_set(&t->by_hash, hash, id);
	return id;
}

static int compare_locks(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

uint32_t dh_lockset_of(struct dh_locksets *t, const uint32_t *locks, size_t n)
{
	uint32_t *s;
	size_t k = 0;

	if (!n)
		return t->n ? DH_LOCKSET_EMPTY : intern(t, NULL, 0);
	s = scratch(t, n);
	memcpy(s, locks, n * sizeof(*s));
	qsort(s, n, sizeof(*s), compare_locks);
	for (size_t i = 0; i < n; i++) {
		if (!k || s[k - 1] != s[i])
			s[k++] = s[i];
	}
	return intern(t, s, k);
}

/* Merges two sorted arrays, keeping what stands in a only, in b only, in both. */
static uint32_t combine(struct dh_locksets *t, const uint32_t *a, size_t na, const uint32_t *b,
	size_t nb, bool only_a, bool only_b, bool both)
{
	uint32_t *out = scratch(t, na + nb + 1);
	size_t i = 0, k = 0, n = 0;

	while (i < na || k < nb) {
		if (k == nb || (i < na && a[i] < b[k])) {
			if (only_a)
				out[n++] = a[i];
			i++;
		} else if (i == na || b[k] < a[i]) {
			if (only_b)
				out[n++] = b[k];
			k++;
		} else {
			if (both)
				out[n++] = a[i];
			i++;
			k++;
		}
	}
	return intern(t, out, n);
}

static uint32_t compute(struct dh_locksets *t, enum op op, uint32_t a, uint32_t b)
{
	size_t na, nb;
	const uint32_t *la = dh_lockset_locks(t, a, &na);

	if (op == OP_ADD)
		return combine(t, la, na, &b, 1, true, true, true);
	if (op == OP_REMOVE)
		return combine(t, la, na, &b, 1, true, false, false);
	if (op == OP_INTERSECT)
		return combine(
			t, la, na, dh_lockset_locks(t, b, &nb), t->sets[b].n, false, false, true);
	return combine(t, la, na, dh_lockset_locks(t, b, &nb), t->sets[b].n, true, true, true);
}

static uint32_t memoised(struct dh_locksets *t, enum op op, uint32_t a, uint32_t b)
{
	uint64_t key = ((uint64_t)a << 32) | b, known;
	uint32_t set;

	assert(a < t->n);
	if (dh_map_get(&t->memo[op], key, &known))
		return (uint32_t)known;
	set = compute(t, op, a, b);
	dh_map_set(&t->memo[op], key, set);
	return set;
}

uint32_t dh_lockset_add(struct dh_locksets *t, uint32_t set, uint32_t lock)
{
	return memoised(t, OP_ADD, set, lock);
}

uint32_t dh_lockset_remove(struct dh_locksets *t, uint32_t set, uint32_t lock)
{
	return memoised(t, OP_REMOVE, set, lock);
}

uint32_t dh_lockset_intersect(struct dh_locksets *t, uint32_t a, uint32_t b)
{
	if (a == b)
		return a;
	if (a == DH_LOCKSET_EMPTY || b == DH_LOCKSET_EMPTY)
		return DH_LOCKSET_EMPTY;
	return memoised(t, OP_INTERSECT, DH_MIN(a, b), DH_MAX(a, b));
}

uint32_t dh_lockset_union(struct dh_locksets *t, uint32_t a, uint32_t b)
{
	if (a == b || b == DH_LOCKSET_EMPTY)
		return a;
	if (a == DH_LOCKSET_EMPTY)
		return b;
	return memoised(t, OP_UNION, DH_MIN(a, b), DH_MAX(a, b));
}

bool dh_lockset_contains(const struct dh_locksets *t, uint32_t set, uint32_t lock)
{
	size_t n;
	const uint32_t *locks = dh_lockset_locks(t, set, &n);

	return n && bsearch(&lock, locks, n, sizeof(*locks), compare_locks);
}

bool dh_lockset_subset(struct dh_locksets *t, uint32_t a, uint32_t b)
{
	return dh_lockset_intersect(t, a, b) == a;
}
