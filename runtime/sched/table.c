#include "sched/table.h"

#include "sched/pool.h"

#define FIRST_CAP 64

static uint32_t home(const struct dh_table *t, uint64_t key)
{
	return (uint32_t)dh_mix(key) & (t->cap - 1);
}

uint64_t *dh_table_find(const struct dh_table *t, uint64_t key)
{
	if (!t->cap)
		return NULL;
	for (uint32_t i = home(t, key); t->key[i]; i = (i + 1) & (t->cap - 1)) {
		if (t->key[i] == key)
			return &t->value[i];
	}
	return NULL;
}

static uint64_t *place(struct dh_table *t, uint64_t key)
{
	uint32_t i = home(t, key);

	while (t->key[i])
		i = (i + 1) & (t->cap - 1);
	t->key[i] = key;
	return &t->value[i];
}

static void enlarge(struct dh_table *t)
{
	struct dh_table old = *t;

	t->cap = old.cap ? old.cap * 2 : FIRST_CAP;
	t->key = dh_pool_alloc(t->cap * sizeof *t->key);
	t->value = dh_pool_alloc(t->cap * sizeof *t->value);
	for (uint32_t i = 0; i < old.cap; i++) {
		if (old.key[i])
			*place(t, old.key[i]) = old.value[i];
	}
	dh_pool_free(old.key, old.cap * sizeof *old.key);
	dh_pool_free(old.value, old.cap * sizeof *old.value);
}

uint64_t *dh_table_add(struct dh_table *t, uint64_t key)
{
	uint64_t *v = dh_table_find(t, key);

	if (v)
		return v;
	if (2 * (t->n + 1) > t->cap)
		enlarge(t);
	t->n++;
	return place(t, key);
}

/* Entries behind the hole that could not stand at their home place move up. */
void dh_table_remove(struct dh_table *t, uint64_t key)
{
	uint64_t *v = dh_table_find(t, key);
	uint32_t hole, i, mask = t->cap - 1;

	if (!v)
		return;
	hole = (uint32_t)(v - t->value);
	for (i = (hole + 1) & mask; t->key[i]; i = (i + 1) & mask) {
		if (((i - home(t, t->key[i])) & mask) < ((i - hole) & mask))
			continue;
		t->key[hole] = t->key[i];
		t->value[hole] = t->value[i];
		hole = i;
	}
	t->key[hole] = t->value[hole] = 0;
	t->n--;
}

void dh_table_release(struct dh_table *t)
{
	dh_pool_free(t->key, t->cap * sizeof *t->key);
	dh_pool_free(t->value, t->cap * sizeof *t->value);
	*t = (struct dh_table){0};
}
