#include "sched/lockset.h"

#include <stddef.h>

#include "sched/pool.h"
#include "sched/table.h"

#define LOCKS_MAX 64 /* a thread that holds more keeps the first ones only */

struct set {
	uint32_t first, n; /* into members */
};

static struct set *sets;
static uint32_t nsets, sets_cap;
static uint32_t *members;
static uint32_t nmembers, members_cap;
/* Hash of the members to the set. */
static struct dh_table by_hash;
/* (set, member, add or remove) and (set, set) to the answer: both repeat all the time. */
static struct dh_table changes, meetings;

static bool equal(uint32_t set, const uint32_t *m, uint32_t n)
{
	if (sets[set].n != n)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (members[sets[set].first + i] != m[i])
			return false;
	}
	return true;
}

static uint32_t append(const uint32_t *m, uint32_t n)
{
	sets = dh_pool_grow(sets, &sets_cap, nsets + 2, sizeof *sets);
	if (!nsets)
		nsets = 1; /* the empty set */
	members = dh_pool_grow(members, &members_cap, nmembers + n, sizeof *members);
	sets[nsets] = (struct set){nmembers, n};
	for (uint32_t i = 0; i < n; i++)
		members[nmembers++] = m[i];
	return nsets++;
}

/* m is sorted and has no duplicates. */
static uint32_t intern(const uint32_t *m, uint32_t n)
{
	uint64_t hash = n;
	uint64_t *v;

	if (!n)
		return DH_LOCKSET_EMPTY;
	for (uint32_t i = 0; i < n; i++)
		hash = dh_mix2(hash, m[i]);
	/* Sets whose hashes collide stand behind one another. */
	for (;; hash += 2) {
		v = dh_table_add(&by_hash, hash | 1);
		if (!*v)
			return (uint32_t)(*v = append(m, n));
		if (equal((uint32_t)*v, m, n))
			return (uint32_t)*v;
	}
}

const uint32_t *dh_lockset_members(uint32_t set, uint32_t *ret_n)
{
	if (set == DH_LOCKSET_EMPTY) {
		*ret_n = 0;
		return NULL;
	}
	*ret_n = sets[set].n;
	return members + sets[set].first;
}

uint32_t dh_lockset_of(const uint32_t *m, uint32_t n)
{
	uint32_t set = DH_LOCKSET_EMPTY;

	for (uint32_t i = 0; i < n; i++)
		set = dh_lockset_add(set, m[i]);
	return set;
}

static uint32_t compute_add(uint32_t set, uint32_t member)
{
	uint32_t m[LOCKS_MAX], n, count = 0, i = 0;
	const uint32_t *old = dh_lockset_members(set, &n);

	if (n >= LOCKS_MAX)
		return set;
	while (i < n && old[i] < member)
		m[count++] = old[i++];
	m[count++] = member;
	if (i < n && old[i] == member)
		i++;
	while (i < n)
		m[count++] = old[i++];
	return intern(m, count);
}

static uint32_t compute_remove(uint32_t set, uint32_t member)
{
	uint32_t m[LOCKS_MAX], n, count = 0;
	const uint32_t *old = dh_lockset_members(set, &n);

	for (uint32_t i = 0; i < n; i++) {
		if (old[i] != member)
			m[count++] = old[i];
	}
	return intern(m, count);
}

/* Answers are kept plus one, so that 0 is "not asked yet". */
static uint32_t change(uint32_t set, uint32_t member, bool add)
{
	uint64_t key = ((uint64_t)set << 33 | (uint64_t)member << 1 | add) + 1;
	uint64_t *v = dh_table_find(&changes, key);
	uint32_t answer;

	if (v)
		return (uint32_t)*v - 1;
	answer = add ? compute_add(set, member) : compute_remove(set, member);
	*dh_table_add(&changes, key) = (uint64_t)answer + 1;
	return answer;
}

uint32_t dh_lockset_add(uint32_t set, uint32_t member)
{
	return change(set, member, true);
}

uint32_t dh_lockset_remove(uint32_t set, uint32_t member)
{
	return change(set, member, false);
}

static bool meet(uint32_t a, uint32_t b)
{
	uint32_t na, nb, i = 0, j = 0;
	const uint32_t *ma = dh_lockset_members(a, &na), *mb = dh_lockset_members(b, &nb);

	while (i < na && j < nb) {
		if (ma[i] >> 1 < mb[j] >> 1)
			i++;
		else if (ma[i] >> 1 > mb[j] >> 1)
			j++;
		else if (!(ma[i] & mb[j] & 1))
			return true;
		else /* readers; a writer's member would have come first */
			i++, j++;
	}
	return false;
}

bool dh_lockset_protects(uint32_t a, uint32_t b)
{
	uint64_t key, *v;

	if (a == DH_LOCKSET_EMPTY || b == DH_LOCKSET_EMPTY)
		return false;
	key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
	v = dh_table_add(&meetings, key);
	if (!*v)
		*v = meet(a, b) ? 2 : 1;
	return *v == 2;
}

bool dh_lockset_within(uint32_t a, uint32_t b)
{
	uint32_t na, nb, j = 0;
	const uint32_t *ma = dh_lockset_members(a, &na), *mb = dh_lockset_members(b, &nb);

	for (uint32_t i = 0; i < na; i++) {
		while (j < nb && mb[j] < ma[i])
			j++;
		if (j == nb || mb[j] != ma[i])
			return false;
	}
	return true;
}

void dh_lockset_reset(void)
{
	dh_pool_free(sets, sets_cap * sizeof *sets);
	dh_pool_free(members, members_cap * sizeof *members);
	sets = NULL;
	members = NULL;
	nsets = sets_cap = nmembers = members_cap = 0;
	dh_table_release(&by_hash);
	dh_table_release(&changes);
	dh_table_release(&meetings);
}
