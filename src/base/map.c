#include "base/map.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/arena.h"

static uint64_t mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	return x;
}

void dh_map_release(struct dh_map *m)
{
	free(m->slots);
	*m = DH_MAP_INIT;
}

void dh_map_clear(struct dh_map *m)
{
	if (m->slots)
		memset(m->slots, 0, m->cap * sizeof(*m->slots));
	m->n = m->filled = 0;
}

static struct dh_map_slot *find(const struct dh_map *m, uint64_t key)
{
	size_t i;

	if (!m->cap)
		return NULL;
	for (i = mix(key) & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
		struct dh_map_slot *s = &m->slots[i];

		if (!s->used)
			return NULL;
		if (s->used == 1 && s->key == key)
			return s;
	}
}

bool dh_map_get(const struct dh_map *m, uint64_t key, uint64_t *ret)
{
	struct dh_map_slot *s = find(m, key);

	if (!s)
		return false;
	if (ret)
		*ret = s->value;
	return true;
}

void *dh_map_getp(const struct dh_map *m, uint64_t key)
{
	struct dh_map_slot *s = find(m, key);

	return s ? (void *)(uintptr_t)s->value : NULL;
}

static void insert_new(struct dh_map *m, uint64_t key, uint64_t value)
{
	size_t i = mix(key) & (m->cap - 1);

	while (m->slots[i].used == 1)
		i = (i + 1) & (m->cap - 1);
	if (!m->slots[i].used)
		m->filled++;
	m->slots[i] = (struct dh_map_slot){.key = key, .value = value, .used = 1};
	m->n++;
}

static void rehash(struct dh_map *m, size_t cap)
{
	struct dh_map old = *m;

	*m = (struct dh_map){.slots = dh_zalloc(cap * sizeof(*m->slots)), .cap = cap};
	dh_expect_scattered(m->slots, cap * sizeof(*m->slots));
	dh_map_foreach (s, &old)
		insert_new(m, s->key, s->value);
	free(old.slots);
}

void dh_map_set(struct dh_map *m, uint64_t key, uint64_t value)
{
	struct dh_map_slot *s = find(m, key);

	if (s) {
		s->value = value;
		return;
	}
	if (m->filled * 4 >= m->cap * 3)
		rehash(m, m->n * 2 >= m->cap ? DH_MAX(m->cap * 2, (size_t)16)
					     : DH_MAX(m->cap, (size_t)16));
	insert_new(m, key, value);
}

void dh_map_setp(struct dh_map *m, uint64_t key, void *p)
{
	dh_map_set(m, key, (uint64_t)(uintptr_t)p);
}

bool dh_map_del(struct dh_map *m, uint64_t key)
{
	struct dh_map_slot *s = find(m, key);

	if (!s)
		return false;
	s->used = 2;
	m->n--;
	return true;
}

void dh_strset_init(struct dh_strset *s)
{
	*s = (struct dh_strset){.arena = dh_new(struct dh_arena)};
}

void dh_strset_release(struct dh_strset *s)
{
	if (s->arena)
		dh_arena_release(s->arena);
	free(s->arena);
	dh_map_release(&s->by_hash);
	free(s->strings);
	free(s->next);
	*s = (struct dh_strset){0};
}

int64_t dh_strset_find(const struct dh_strset *s, const char *str)
{
	uint64_t id;

	if (!dh_map_get(&s->by_hash, XXH3_64bits(str, strlen(str)), &id))
		return -1;
	while (strcmp(s->strings[id], str) != 0) {
		if (s->next[id] == UINT32_MAX)
			return -1;
		id = s->next[id];
	}
	return (int64_t)id;
}

uint32_t dh_strset_add(struct dh_strset *s, const char *str)
{
	int64_t id = dh_strset_find(s, str);
	uint64_t hash, head;

	if (id >= 0)
		return (uint32_t)id;
	if (s->n == s->cap) {
		s->cap = s->cap ? s->cap * 2 : 16;
		s->strings = dh_reallocarray(s->strings, s->cap, sizeof(*s->strings));
		s->next = dh_reallocarray(s->next, s->cap, sizeof(*s->next));
	}
	hash = XXH3_64bits(str, strlen(str));
	s->next[s->n] = dh_map_get(&s->by_hash, hash, &head) ? (uint32_t)head : UINT32_MAX;
	s->strings[s->n] = dh_arena_strdup(s->arena, str);
	dh_map_set(&s->by_hash, hash, s->n);
	return (uint32_t)s->n++;
}

const char *dh_strset_get(const struct dh_strset *s, uint32_t id)
{
	return s->strings[id];
}
