#include "fuzz/schedule.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "fuzz/block.h"
#include "fuzz/server.h"

#define HEADER "deadheat-schedule/2"
/* Without what a good run is. */
#define OLD_HEADER  "deadheat-schedule/1"
#define MAX_ARGV    4096
#define MAX_NUMBERS 16

void dh_fuzz_schedule_release(struct dh_fuzz_schedule *s)
{
	dh_arena_release(&s->arena);
	*s = (struct dh_fuzz_schedule){0};
}

void dh_fuzz_schedule_take(struct dh_fuzz_schedule *s, const struct dh_order *o)
{
	s->ask = o->ask;
	s->ask.ntargets = (uint32_t)o->n_targets;
	s->ask.nsteps = (uint32_t)o->n_steps;
	s->targets = dh_arena_alloc(&s->arena, (o->n_targets + 1) * sizeof(*s->targets));
	if (o->n_targets)
		memcpy(s->targets, o->targets, o->n_targets * sizeof(*s->targets));
	s->steps = dh_arena_alloc(&s->arena, (o->n_steps + 1) * sizeof(*s->steps));
	if (o->n_steps)
		memcpy(s->steps, o->steps, o->n_steps * sizeof(*s->steps));
}

/* Words with spaces, newlines and percent signs in them stay one word of one line. */
static void add_word(struct dh_buf *b, const char *key, const char *word)
{
	dh_buf_adds(b, key);
	dh_buf_addc(b, ' ');
	for (; *word; word++) {
		unsigned char c = (unsigned char)*word;

		if (c <= ' ' || c >= 127 || c == '%')
			dh_buf_addf(b, "%%%02x", c);
		else
			dh_buf_addc(b, (char)c);
	}
	dh_buf_addc(b, '\n');
}

static void add_ask(struct dh_buf *b, const struct dh_sched_ask *a)
{
	dh_buf_addf(b,
		"ask %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		" %" PRIu64 " %" PRIu64 "\n",
		a->strategy, a->detect, a->flags, a->depth, a->seed, a->length, a->limit,
		a->patience, a->budget, a->time, a->timeout_choice);
}

static void add_target(struct dh_buf *b, const struct dh_sched_target *t)
{
	dh_buf_addf(b, "target %u %u %u %u %" PRIu64 " %u %u %u %u %u %u %" PRIu64 "\n", t->module,
		t->role, t->group, t->index, t->offset, t->trap, t->access, (uint8_t)t->base,
		(uint8_t)t->index_register, t->size, t->scale, (uint64_t)t->disp);
}

static void add_step(struct dh_buf *b, const struct dh_sched_step *s)
{
	dh_buf_addf(b, "step %u %u %u %u %u %u %u\n", s->thread, s->next, s->point, s->op, s->flags,
		s->extra, s->object);
}

char *dh_fuzz_schedule_write(const struct dh_fuzz_schedule *s)
{
	struct dh_buf b = DH_BUF_INIT;

	dh_buf_adds(&b, HEADER "\n");
	add_word(&b, "program", s->program);
	for (size_t i = 0; i < s->n_argv; i++)
		add_word(&b, "arg", s->argv[i]);
	dh_buf_addf(&b, "hash %" PRIu64 "\ninput %" PRIu64 " %" PRIu64 "\npreload %d\n",
		s->program_hash, s->input_hash, s->input_size, s->preload);
	for (size_t i = 0; i < s->n_modules; i++)
		add_word(&b, "module", s->modules[i]);
	add_ask(&b, &s->ask);
	for (uint32_t i = 0; i < s->ask.ntargets; i++)
		add_target(&b, &s->targets[i]);
	for (uint32_t i = 0; i < s->ask.nsteps; i++)
		add_step(&b, &s->steps[i]);
	dh_buf_addf(&b, "failure %" PRIu64 "\n", s->failure);
	dh_buf_addf(&b, "baseline %d %d %d %" PRIu64 " %zu\n", s->base.known, s->base.status,
		s->base.compare, s->base.output_hash, s->base.output_size);
	return dh_buf_steal(&b);
}

/* One line: its key, and numbers or one word behind it. */
struct line {
	char key[16];
	const char *rest;
	uint64_t number[MAX_NUMBERS];
	size_t n;
};

static bool split_numbers(struct line *l)
{
	const char *at = l->rest;

	for (l->n = 0; *at; l->n++) {
		char *end;

		if (l->n == MAX_NUMBERS || !isdigit((unsigned char)*at))
			return false;
		errno = 0;
		l->number[l->n] = strtoull(at, &end, 10);
		if (errno || (*end && *end != ' '))
			return false;
		at = end + (*end == ' ');
	}
	return true;
}

static char *word_of(const struct line *l, struct dh_arena *arena)
{
	char *to = dh_arena_strdup(arena, l->rest), *ret = to;
	const char *at = l->rest;

	for (; *at; at++) {
		unsigned v;

		if (*at == '%' && sscanf(at + 1, "%2x", &v) == 1 && v && at[1] && at[2]) {
			*to++ = (char)v;
			at += 2;
		} else {
			*to++ = *at;
		}
	}
	*to = 0;
	return ret;
}

struct reader {
	struct dh_fuzz_schedule *s;
	size_t cap_steps;
};

static bool read_arg(struct reader *r, const struct line *l)
{
	struct dh_fuzz_schedule *s = r->s;

	if (s->n_argv + 1 >= MAX_ARGV)
		return false;
	if (!s->argv)
		s->argv = dh_arena_alloc(&s->arena, MAX_ARGV * sizeof(*s->argv));
	s->argv[s->n_argv++] = word_of(l, &s->arena);
	return true;
}

static bool read_module(struct reader *r, const struct line *l)
{
	struct dh_fuzz_schedule *s = r->s;
	char *word = word_of(l, &s->arena);

	if (s->n_modules == DH_SCHED_MODULES_MAX || strlen(word) >= DH_SCHED_NAME_MAX)
		return false;
	if (!s->modules)
		s->modules = dh_arena_alloc(&s->arena, DH_SCHED_MODULES_MAX * sizeof(*s->modules));
	s->modules[s->n_modules++] = word;
	return true;
}

static bool read_program(struct reader *r, const struct line *l)
{
	r->s->program = word_of(l, &r->s->arena);
	return r->s->program[0];
}

static bool read_hash(struct reader *r, const struct line *l)
{
	r->s->program_hash = l->number[0];
	return true;
}

static bool read_input(struct reader *r, const struct line *l)
{
	r->s->input_hash = l->number[0];
	r->s->input_size = l->number[1];
	return true;
}

static bool read_preload(struct reader *r, const struct line *l)
{
	r->s->preload = l->number[0];
	return true;
}

static bool read_failure(struct reader *r, const struct line *l)
{
	r->s->failure = l->number[0];
	return true;
}

static bool read_baseline(struct reader *r, const struct line *l)
{
	const uint64_t *n = l->number;

	r->s->base = (struct dh_baseline){.known = n[0],
		.status = (int)(n[1] & 0xff),
		.compare = n[2],
		.output_hash = n[3],
		.output_size = n[4]};
	return true;
}

static bool read_ask(struct reader *r, const struct line *l)
{
	const uint64_t *n = l->number;

	r->s->ask = (struct dh_sched_ask){.strategy = (uint32_t)n[0],
		.detect = (uint32_t)n[1],
		.flags = (uint32_t)n[2],
		.depth = (uint32_t)n[3],
		.seed = n[4],
		.length = n[5],
		.limit = n[6],
		.patience = n[7],
		.budget = n[8],
		.time = n[9],
		.timeout_choice = n[10],
		.cpu = -1};
	return n[0] < DH_SCHED_STRATEGY_COUNT;
}

static bool read_target(struct reader *r, const struct line *l)
{
	struct dh_fuzz_schedule *s = r->s;
	const uint64_t *n = l->number;

	if (s->ask.ntargets == DH_SCHED_TARGETS_MAX || n[0] >= DH_SCHED_MODULES_MAX)
		return false;
	if (!s->targets)
		s->targets = dh_arena_alloc(&s->arena, DH_SCHED_TARGETS_MAX * sizeof(*s->targets));
	s->targets[s->ask.ntargets++] = (struct dh_sched_target){.module = (uint32_t)n[0],
		.role = (uint8_t)n[1],
		.group = (uint8_t)n[2],
		.index = (uint16_t)n[3],
		.offset = n[4],
		.trap = (uint8_t)n[5],
		.access = (uint8_t)n[6],
		.base = (int8_t)(uint8_t)n[7],
		.index_register = (int8_t)(uint8_t)n[8],
		.size = (uint32_t)n[9],
		.scale = (uint32_t)n[10],
		.disp = (int64_t)n[11]};
	return true;
}

static bool read_step(struct reader *r, const struct line *l)
{
	struct dh_fuzz_schedule *s = r->s;
	const uint64_t *n = l->number;

	if (s->ask.nsteps == DH_BLOCK_STEPS_IN)
		return false;
	if (s->ask.nsteps == r->cap_steps) {
		struct dh_sched_step *old = s->steps;

		r->cap_steps = r->cap_steps ? r->cap_steps * 2 : 256;
		s->steps = dh_arena_alloc(&s->arena, r->cap_steps * sizeof(*s->steps));
		if (old)
			memcpy(s->steps, old, s->ask.nsteps * sizeof(*old));
	}
	s->steps[s->ask.nsteps++] = (struct dh_sched_step){.thread = (uint32_t)n[0],
		.next = (uint32_t)n[1],
		.point = (uint32_t)n[2],
		.op = (uint8_t)n[3],
		.flags = (uint8_t)n[4],
		.extra = (uint16_t)n[5],
		.object = (uint32_t)n[6]};
	return true;
}

/* numbers 0: one word. */
static const struct {
	const char *key;
	size_t numbers;
	bool (*read)(struct reader *r, const struct line *l);
} keys[] = {
	{"program", 0, read_program},
	{"arg", 0, read_arg},
	{"hash", 1, read_hash},
	{"input", 2, read_input},
	{"preload", 1, read_preload},
	{"module", 0, read_module},
	{"ask", 11, read_ask},
	{"target", 12, read_target},
	{"step", 7, read_step},
	{"failure", 1, read_failure},
	{"baseline", 5, read_baseline},
};

static bool read_line(struct reader *r, char *text)
{
	char *space = strchr(text, ' ');
	struct line l = {.rest = space ? space + 1 : ""};

	snprintf(l.key, sizeof(l.key), "%.*s", (int)strcspn(text, " "), text);
	for (size_t i = 0; i < DH_ARRAY_SIZE(keys); i++) {
		if (strcmp(l.key, keys[i].key) != 0)
			continue;
		if (keys[i].numbers && (!split_numbers(&l) || l.n != keys[i].numbers))
			return false;
		return keys[i].read(r, &l);
	}
	return false;
}

int dh_fuzz_schedule_read(const char *text, struct dh_fuzz_schedule *ret, struct dh_error *err)
{
	struct reader r = {.s = ret};
	DH_FREE char *copy = dh_strdup(text);
	char *rest = copy, *line = strsep(&rest, "\n");
	size_t n = 1;

	*ret = (struct dh_fuzz_schedule){0};
	if (strcmp(line, HEADER) != 0 && strcmp(line, OLD_HEADER) != 0)
		return dh_error_set(err, EBADMSG,
			"the finding has a schedule that this deadheat cannot read ('%.40s')",
			line);
	while ((line = strsep(&rest, "\n"))) {
		n++;
		if (*line && !read_line(&r, line))
			return dh_error_set(err, EBADMSG,
				"the schedule of the finding is damaged in line %zu", n);
	}
	if (!ret->program || !ret->argv)
		return dh_error_set(err, EBADMSG, "the schedule of the finding names no program");
	return 0;
}
