/* deadheat doctor: what this machine allows, what is degraded, how to mend it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "base/opt.h"
#include "base/progress.h"
#include "cmd/cmd.h"
#include "doctor/probe.h"

#define HEALTHS 3

static struct {
	bool json;
} opt;

static const struct dh_opt options[] = {
	{DH_OPT_FLAG, 0, "json", NULL, "print JSON (schema deadheat-doctor/1)", &opt.json, NULL},
	{0},
};

static const struct dh_cmd command = {
	"doctor",
	"[--json]",
	"Tries out what Deadheat may need of this machine and says what works.",
	"Each capability works, is degraded (some of it is there), or is missing; the commands\n"
	"that it touches stand beside it, and below it what to do about it.\n"
	"\n"
	"Exit status: 0 when recording and replaying can run here, 3 when they cannot.",
};

/* Calls fn for each command of the list that this build has. */
static void each_command(
	const char *list, void (*fn)(void *arg, const char *name, size_t len), void *arg)
{
	while (*list) {
		size_t len = strcspn(list, " ");

		if (dh_command_exists(list, len))
			fn(arg, list, len);
		list += len + strspn(list + len, " ");
	}
}

static void add_word(void *arg, const char *name, size_t len)
{
	struct dh_buf *b = arg;

	dh_buf_addf(b, "%s%.*s", b->len ? ", " : "", (int)len, name);
}

static void add_json(void *arg, const char *name, size_t len)
{
	dh_json_stringn(arg, NULL, name, len);
}

static void print_text(const struct dh_probe *p, const struct dh_probe_result *r, bool colour)
{
	static const char *const colours[HEALTHS] = {"\033[32m", "\033[33m", "\033[31m"};
	DH_BUF struct dh_buf commands = DH_BUF_INIT;

	each_command(p->commands, add_word, &commands);
	printf("%s%-8s%s  %-27s  %s", colour ? colours[r->health] : "", dh_health_name(r->health),
		colour ? "\033[0m" : "", p->title, r->detail);
	if (commands.len)
		printf("  [%s]", commands.data);
	putchar('\n');
	if (r->mend[0])
		printf("%*s  mend: %s\n", 8, "", r->mend);
}

static void print_json(struct dh_json *j, const struct dh_probe *p, const struct dh_probe_result *r)
{
	dh_json_object(j, NULL);
	dh_json_string(j, "id", p->id);
	dh_json_string(j, "title", p->title);
	dh_json_string(j, "state", dh_health_name(r->health));
	dh_json_bool(j, "basic", p->basic);
	dh_json_array(j, "commands");
	each_command(p->commands, add_json, j);
	dh_json_end_array(j);
	dh_json_string(j, "detail", r->detail);
	dh_json_string(j, "mend", r->mend[0] ? r->mend : NULL);
	dh_json_double(j, "seconds", r->seconds);
	dh_json_end_object(j);
}

/* Runs all probes into results, counts them by health: whether every basic one can be used. */
static bool run_all(const struct dh_probe *probes, size_t n, struct dh_probe_result *results,
	unsigned counts[HEALTHS])
{
	bool ready = true;

	dh_progress_begin("trying", n);
	for (size_t i = 0; i < n; i++) {
		dh_progress_update(i, probes[i].title);
		dh_probe_run(&probes[i], &results[i]);
		counts[results[i].health]++;
		if (probes[i].basic && results[i].health == DH_HEALTH_MISSING)
			ready = false;
	}
	dh_progress_end();
	return ready;
}

static void report_json(const struct dh_probe *probes, const struct dh_probe_result *results,
	size_t n, const unsigned counts[HEALTHS], bool ready)
{
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	struct dh_json j;

	dh_json_init(&j, &out, 2);
	dh_json_object(&j, NULL);
	dh_json_string(&j, "schema", "deadheat-doctor/1");
	dh_json_object(&j, "tool");
	dh_json_string(&j, "name", "deadheat");
	dh_json_string(&j, "version", DH_VERSION);
	dh_json_end_object(&j);
	dh_json_bool(&j, "ready", ready);
	dh_json_array(&j, "capabilities");
	for (size_t i = 0; i < n; i++)
		print_json(&j, &probes[i], &results[i]);
	dh_json_end_array(&j);
	dh_json_object(&j, "summary");
	for (int h = 0; h < HEALTHS; h++)
		dh_json_uint(&j, dh_health_name((enum dh_health)h), counts[h]);
	dh_json_end_object(&j);
	dh_json_end_object(&j);
	fwrite(out.data, 1, out.len, stdout);
}

static void report_text(const struct dh_probe *probes, const struct dh_probe_result *results,
	size_t n, const unsigned counts[HEALTHS], bool ready)
{
	bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");

	for (size_t i = 0; i < n; i++)
		print_text(&probes[i], &results[i], colour);
	printf("\n%u work, %u degraded, %u missing.  Recording and replaying %s.\n", counts[0],
		counts[1], counts[2], ready ? "can run here" : "cannot run here");
}

int dh_cmd_doctor(int argc, char **argv)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_probe_result *results;
	const struct dh_probe *probes;
	unsigned counts[HEALTHS] = {0};
	size_t n;
	bool ready;
	int r = dh_opt_parse(&command, options, argc, argv, &err);

	if (r == -ECANCELED)
		return DH_EXIT_OK;
	if (r >= 0 && r < argc)
		r = dh_error_set(&err, EINVAL, "doctor takes no operand: '%s'", argv[r]);
	if (r < 0) {
		dh_log_error("%s", err.text);
		return DH_EXIT_USAGE;
	}
	probes = dh_probes(&n);
	results = dh_new_n(struct dh_probe_result, n);
	ready = run_all(probes, n, results, counts);
	if (opt.json)
		report_json(probes, results, n, counts, ready);
	else
		report_text(probes, results, n, counts, ready);
	free(results);
	return ready ? DH_EXIT_OK : DH_EXIT_FAILED;
}
