#include "base/opt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define HELP_COLUMN 26

/* Letters to add, drop, change, or swap with their neighbour to get from a to b. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][64], n = strlen(b);
	size_t *before = rows[0], *last = rows[1], *row = rows[2];

	if (n >= DH_ARRAY_SIZE(rows[0]))
		return SIZE_MAX;
	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t *reused = before;

		before = last;
		last = row;
		row = reused;
		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			row[j] = last[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = DH_MIN(row[j], last[j] + 1);
			row[j] = DH_MIN(row[j], row[j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = DH_MIN(row[j], before[j - 2] + 1);
		}
	}
	return row[n];
}

const char *dh_opt_nearest(const char *word, const char *const *candidates)
{
	const char *best = NULL;
	size_t best_distance = DH_MAX(strlen(word) / 3, (size_t)1) + 1;

	for (; *candidates; candidates++) {
		size_t d = distance(word, *candidates);
		size_t n = strlen(word);

		if (n >= 3 && strncmp(word, *candidates, n) == 0)
			d = 1; /* the start of a word is a good guess */
		if (d < best_distance) {
			best_distance = d;
			best = *candidates;
		}
	}
	return best;
}

static void print_one(const struct dh_opt *o)
{
	char left[64];
	int n;

	if (o->type == DH_OPT_GROUP) {
		printf("\n%s:\n", o->help);
		return;
	}
	n = snprintf(left, sizeof(left), "  %c%c%s--%s%s%s", o->letter ? '-' : ' ',
		o->letter ? o->letter : ' ', o->letter ? ", " : "  ", o->name, o->arg ? " " : "",
		o->arg ? o->arg : "");
	if (n >= HELP_COLUMN)
		printf("%s\n%*s", left, HELP_COLUMN, "");
	else
		printf("%-*s", HELP_COLUMN, left);
	for (const char *s = o->help; *s; s++) {
		putchar(*s);
		if (*s == '\n')
			printf("%*s", HELP_COLUMN, "");
	}
	putchar('\n');
}

void dh_opt_print_help(const struct dh_cmd *cmd, const struct dh_opt *opts)
{
	printf("Usage: deadheat %s %s\n\n%s\n", cmd->name, cmd->usage, cmd->summary);
	if (cmd->details)
		printf("\n%s\n", cmd->details);
	if (opts->help && opts->type != DH_OPT_GROUP)
		printf("\nOptions:\n");
	for (const struct dh_opt *o = opts; o->help; o++)
		print_one(o);
	printf("  -h, --help              show this\n\nSee also: man deadheat-%s\n", cmd->name);
}

static int parse_uint(const char *s, uint64_t *ret)
{
	unsigned long long v;
	uint64_t scale = 1, out;
	char *end;

	errno = 0;
	v = strtoull(s, &end, 0);
	if (errno || end == s || *s == '-')
		return -EINVAL;
	if (*end == 'k' || *end == 'K')
		scale = 1024;
	else if (*end == 'M')
		scale = 1024 * 1024;
	else if (*end == 'G')
		scale = 1024 * 1024 * 1024;
	if (end[scale > 1 ? 1 : 0] || __builtin_mul_overflow((uint64_t)v, scale, &out))
		return -EINVAL;
	*ret = out;
	return 0;
}

static int parse_time(const char *s, double *ret)
{
	static const struct {
		const char *suffix;
		double scale;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}};
	char *end;
	double v = strtod(s, &end);

	if (end == s || !(v >= 0))
		return -EINVAL;
	for (size_t i = 0; i < DH_ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].suffix) == 0) {
			*ret = v * units[i].scale;
			return 0;
		}
	}
	return -EINVAL;
}

static int set_choice(const struct dh_opt *o, const char *arg, struct dh_error *err)
{
	const char *near;

	for (int i = 0; o->choices[i]; i++) {
		if (strcmp(o->choices[i], arg) == 0) {
			*(int *)o->value = i;
			return 0;
		}
	}
	near = dh_opt_nearest(arg, o->choices);
	return dh_error_set(err, EINVAL, "--%s: unknown value '%s'; did you mean '%s'?", o->name,
		arg, near ? near : o->choices[0]);
}

static int set_value(const struct dh_opt *o, const char *arg, struct dh_error *err)
{
	struct dh_opt_list *list;

	switch (o->type) {
	case DH_OPT_FLAG:
		*(bool *)o->value = true;
		return 0;
	case DH_OPT_STRING:
		*(const char **)o->value = arg;
		return 0;
	case DH_OPT_LIST:
		list = o->value;
		DH_GROW(list->items, list->n, list->cap);
		list->items[list->n++] = arg;
		return 0;
	case DH_OPT_UINT:
		if (parse_uint(arg, o->value) < 0)
			return dh_error_set(
				err, EINVAL, "--%s: '%s' is not a number", o->name, arg);
		return 0;
	case DH_OPT_TIME:
		if (parse_time(arg, o->value) < 0)
			return dh_error_set(
				err, EINVAL, "--%s: '%s' is not a time (try 30s)", o->name, arg);
		return 0;
	case DH_OPT_CHOICE:
		return set_choice(o, arg, err);
	case DH_OPT_GROUP:
		break;
	}
	return -EINVAL;
}

static int unknown(
	const struct dh_cmd *cmd, const struct dh_opt *opts, const char *word, struct dh_error *err)
{
	const char *names[128] = {"help"};
	size_t n = 1;
	const char *near;

	for (; opts->help && n + 1 < DH_ARRAY_SIZE(names); opts++) {
		if (opts->name)
			names[n++] = opts->name;
	}
	near = dh_opt_nearest(word, names);
	if (near)
		return dh_error_set(err, EINVAL,
			"unknown option '--%s'; did you mean '--%s'? (deadheat %s --help)", word,
			near, cmd->name);
	return dh_error_set(
		err, EINVAL, "unknown option '--%s' (deadheat %s --help)", word, cmd->name);
}

static const struct dh_opt *find_long(const struct dh_opt *opts, const char *name, size_t len)
{
	for (; opts->help; opts++) {
		if (opts->name && strlen(opts->name) == len && strncmp(opts->name, name, len) == 0)
			return opts;
	}
	return NULL;
}

static const struct dh_opt *find_letter(const struct dh_opt *opts, char letter)
{
	for (; opts->help; opts++) {
		if (opts->name && opts->letter == letter)
			return opts;
	}
	return NULL;
}

int dh_opt_parse(const struct dh_cmd *cmd, const struct dh_opt *opts, int argc, char **argv,
	struct dh_error *err)
{
	int i;

	for (i = 1; i < argc; i++) {
		const char *a = argv[i], *arg = NULL;
		const struct dh_opt *o;
		int r;

		if (strcmp(a, "--") == 0)
			return i + 1;
		if (a[0] != '-' || !a[1])
			return i;
		if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0) {
			dh_opt_print_help(cmd, opts);
			return -ECANCELED;
		}
		if (a[1] == '-') {
			size_t len = strcspn(a + 2, "=");

			o = find_long(opts, a + 2, len);
			if (!o) {
				DH_FREE char *word = dh_strndup(a + 2, len);

				return unknown(cmd, opts, word, err);
			}
			arg = a[2 + len] == '=' ? a + 3 + len : NULL;
			if (arg && o->type == DH_OPT_FLAG)
				return dh_error_set(err, EINVAL, "--%s takes no value", o->name);
		} else {
			o = find_letter(opts, a[1]);
			if (!o)
				return dh_error_set(err, EINVAL,
					"unknown option '%s' (deadheat %s --help)", a, cmd->name);
			arg = a[2] ? a + 2 : NULL;
			if (arg && o->type == DH_OPT_FLAG)
				return dh_error_set(err, EINVAL, "-%c takes no value", a[1]);
		}
		if (o->type != DH_OPT_FLAG && !arg) {
			if (i + 1 >= argc)
				return dh_error_set(err, EINVAL, "--%s needs %s", o->name, o->arg);
			arg = argv[++i];
		}
		r = set_value(o, arg, err);
		if (r < 0)
			return r;
	}
	return i;
}
