#include "scan/analysis/capability.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/analysis/value.h"

/* Functions that are looked through for lock operations. */
#define MAX_INSIDE 64
#define MAX_TEXT   128

static const struct {
	const char *name;
	enum dh_scan_verb verb;
	uint16_t words;
} kinds[] = {
	{"acquire_capability", DH_SV_ACQUIRE, DH_SW_BLOCK},
	{"exclusive_lock_function", DH_SV_ACQUIRE, DH_SW_BLOCK},
	{"acquire_shared_capability", DH_SV_ACQUIRE, DH_SW_BLOCK | DH_SW_READ},
	{"shared_lock_function", DH_SV_ACQUIRE, DH_SW_BLOCK | DH_SW_READ},
	{"release_capability", DH_SV_RELEASE, 0},
	{"release_shared_capability", DH_SV_RELEASE, 0},
	{"release_generic_capability", DH_SV_RELEASE, 0},
	{"unlock_function", DH_SV_RELEASE, 0},
	{"try_acquire_capability", DH_SV_TRY, 0},
	{"exclusive_trylock_function", DH_SV_TRY, 0},
	{"try_acquire_shared_capability", DH_SV_TRY, DH_SW_READ},
	{"shared_trylock_function", DH_SV_TRY, DH_SW_READ},
	{"assert_capability", DH_SV_HELD, 0},
	{"assert_exclusive_lock", DH_SV_HELD, 0},
};

static const char *const required[] = {"requires_capability", "requires_shared_capability",
	"exclusive_locks_required", "shared_locks_required"};

static bool is_required(const struct dh_scan_run *run, const struct dh_scan_fact *fact)
{
	const char *kind = dh_scan_text(run->p, fact->kind);

	for (size_t i = 0; i < DH_ARRAY_SIZE(required); i++)
		if (strcmp(kind, required[i]) == 0)
			return true;
	return false;
}

/* The next fact about the symbol, from *at on; NULL: none. */
static const struct dh_scan_fact *next_fact(struct dh_scan_run *run, uint32_t symbol, uint32_t *at)
{
	uint64_t first;

	if (!run->said_known) {
		run->said_known = true;
		for (uint32_t i = run->p->n_facts; i-- > 0;)
			if (run->p->facts[i].symbol)
				dh_map_set(&run->said, run->p->facts[i].symbol, i);
	}
	if (!run->said.n || !dh_map_get(&run->said, symbol, &first))
		return NULL;
	for (*at = DH_MAX(*at, (uint32_t)first); *at < run->p->n_facts; ++*at)
		if (run->p->facts[*at].symbol == symbol)
			return &run->p->facts[(*at)++];
	return NULL;
}

/* What a part of the text means: an object at an address, or, with is_value, a pointer to one. */
struct place {
	uint32_t node, type;
	bool is_value;
};

static uint32_t target_of(const struct dh_scan_program *p, uint32_t type)
{
	return p->types[type].kind == DH_SCAN_TYPE_POINTER ? p->types[type].target : 0;
}

/* From an object, or from what it points to, to the member of that name. */
static bool member(
	struct dh_scan_run *run, const struct dh_scan_state *s, struct place *at, const char *name)
{
	struct dh_scan_program *p = run->p;

	if (p->types[at->type].kind == DH_SCAN_TYPE_POINTER) {
		if (!at->is_value)
			at->node = dh_scan_load_value(run, s, at->node);
		at->type = target_of(p, at->type);
	}
	for (uint32_t i = 1; at->node && at->type && i < p->n_fields; i++) {
		if (p->fields[i].owner != at->type ||
			strcmp(dh_scan_text(p, p->fields[i].name), name) != 0)
			continue;
		*at = (struct place){dh_scan_field_of(p, at->node, i), p->fields[i].type, false};
		return true;
	}
	return false;
}

static bool is_called(const struct dh_scan_program *p, uint32_t string, const char *name)
{
	const char *text = dh_scan_text(p, string);
	size_t n = strlen(text), m = strlen(name);

	return n >= m && strcmp(text + n - m, name) == 0 &&
	       (n == m || (n > m + 2 && text[n - m - 1] == ':'));
}

static bool global(const struct dh_scan_run *run, const char *name, struct place *ret)
{
	struct dh_scan_program *p = run->p;

	for (uint32_t i = 1; i < p->n_symbols; i++) {
		const struct dh_scan_symbol *y = &p->symbols[i];

		if (y->flags & DH_SCAN_SYM_FUNCTION ||
			(!is_called(p, y->name, name) && !is_called(p, y->pretty, name)))
			continue;
		*ret = (struct place){dh_scan_global(p, i), y->type, false};
		return true;
	}
	return false;
}

/* Parameters first, then members of the method's object, then variables: as in C++. */
static bool first_name(struct dh_scan_run *run, const struct dh_scan_state *s,
	const struct dh_scan_function *f, const uint32_t *args, uint32_t n_args, const char *name,
	struct place *ret)
{
	for (uint32_t i = 0; f && i < f->n_params && i < n_args; i++) {
		if (strcmp(dh_scan_text(run->p, f->params[i].name), name) == 0) {
			*ret = (struct place){args[i], f->params[i].type, true};
			return args[i] != 0;
		}
	}
	if (f && f->n_params && n_args && args[0] &&
		strcmp(dh_scan_text(run->p, f->params[0].name), "this") == 0) {
		*ret = (struct place){args[0], f->params[0].type, true};
		if (member(run, s, ret, name))
			return true;
	}
	return global(run, name, ret);
}

/* A name, with what may stand before it; its end, or NULL. */
static const char *take_name(const char *text, char ret[MAX_TEXT])
{
	size_t n = 0;

	text += strspn(text, " \t&*(");
	while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == ':')
		n++;
	if (!n || n >= MAX_TEXT)
		return NULL;
	memcpy(ret, text, n);
	ret[n] = 0;
	return text + n + strspn(text + n, " \t)");
}

/* The address of the lock that the text names, as the caller sees it; 0: not known. */
static uint32_t named_lock(struct dh_scan_run *run, const struct dh_scan_state *s,
	const struct dh_scan_function *f, const uint32_t *args, uint32_t n_args, const char *text)
{
	char name[MAX_TEXT];
	struct place at;
	const char *rest = take_name(text, name);

	if (!rest || !first_name(run, s, f, args, n_args, name, &at))
		return 0;
	while (*rest == '.' || (rest[0] == '-' && rest[1] == '>')) {
		rest = take_name(rest + (*rest == '.' ? 1 : 2), name);
		if (!rest || !member(run, s, &at, name))
			return 0;
	}
	if (*rest)
		return 0;
	return !at.is_value && run->p->types[at.type].kind == DH_SCAN_TYPE_POINTER
		       ? dh_scan_load_value(run, s, at.node)
		       : at.node;
}

/* The next of names that commas separate; NULL at the end. */
static const char *next_text(const char **list, char ret[MAX_TEXT])
{
	size_t n = strcspn(*list, ",");

	if (!**list || n >= MAX_TEXT)
		return NULL;
	memcpy(ret, *list, n);
	ret[n] = 0;
	*list += n + ((*list)[n] == ',');
	return ret;
}

/* Whether the address is of a member of the lock, which begins an object: dh_scan_program.flat. */
static bool is_inside(const struct dh_scan_program *p, uint32_t at, uint32_t lock)
{
	const struct dh_scan_node *l = dh_scan_node(p, lock), *n = dh_scan_node(p, at);

	return l->op == DH_SCAN_FIELD && n->op == DH_SCAN_FIELD && !p->fields[l->b].offset_bits &&
	       n->a == l->a && p->fields[n->b].owner == p->fields[l->b].type;
}

/* Whether the lock is held, or one that is a part of it: a class around a mutex. */
static bool holds(struct dh_scan_run *run, const struct dh_scan_state *s, uint32_t lock)
{
	size_t n;
	const uint32_t *held = dh_lockset_locks(run->sets, s->locks, &n);

	for (size_t i = 0; i < n; i++) {
		uint32_t at = run->locks[held[i]].node;

		while (at != lock && !is_inside(run->p, at, lock) &&
			dh_scan_is_step(dh_scan_node(run->p, at)->op))
			at = dh_scan_node(run->p, at)->a;
		if (at == lock || is_inside(run->p, at, lock))
			return true;
	}
	return false;
}

void dh_scan_check_required(struct dh_scan_run *run, struct dh_scan_frame *f,
	const struct dh_scan_state *s, uint32_t stmt, uint32_t symbol, const uint32_t *args,
	uint32_t n_args)
{
	const struct dh_scan_fact *fact;
	const struct dh_scan_function *callee = dh_scan_body(run->p, symbol);
	char one[MAX_TEXT];
	uint32_t at = 0, lock;

	while ((fact = next_fact(run, symbol, &at))) {
		const char *list = dh_scan_text(run->p, fact->text), *text;

		while (is_required(run, fact) && (text = next_text(&list, one))) {
			lock = named_lock(run, s, callee, args, n_args, text);
			/* What nobody else knows yet needs no lock. */
			if (lock && !holds(run, s, lock) &&
				!dh_lockset_contains(
					run->sets, s->fresh, dh_scan_base(run->p, lock)))
				dh_scan_note_mistake(run, f, s, DH_MISTAKE_REQUIRED, stmt,
					dh_scan_lock_get(run, lock, false, 0), 0);
		}
	}
}

void dh_scan_hold_required(struct dh_scan_run *run, uint32_t fn, struct dh_scan_state *s)
{
	const struct dh_scan_function *body = run->p->functions[fn];
	const struct dh_scan_fact *fact;
	uint32_t args[DH_SCAN_ARGS * 2], n = DH_MIN(body->n_params, DH_ARRAY_SIZE(args)), at = 0;
	char one[MAX_TEXT];

	for (uint32_t i = 0; i < n; i++)
		args[i] = dh_sym_get(&run->syms, DH_SYM_PARAM, fn, i, 0);
	while ((fact = next_fact(run, body->symbol, &at))) {
		const char *list = dh_scan_text(run->p, fact->text), *text;

		while (is_required(run, fact) && (text = next_text(&list, one))) {
			uint32_t node = named_lock(run, s, body, args, n, text), lock;

			if (!node)
				continue;
			lock = dh_scan_lock_get(run, node, false, 0);
			dh_scan_state_hold(
				s, &(struct dh_scan_held){.lock = lock, .fn = fn, .calls = 1});
			s->locks = dh_lockset_add(run->sets, s->locks, lock);
		}
	}
}

/* Whether the function, or one that it calls by name, has a lock operation that is known. */
static bool shows_how(struct dh_scan_run *run, uint32_t fn)
{
	uint32_t todo[MAX_INSIDE], n = 0, done = 0;

	todo[n++] = fn;
	while (done < n) {
		const struct dh_scan_function *f = run->p->functions[todo[done++]];

		for (uint32_t i = 0; i < f->n_stmts; i++) {
			uint32_t y = f->stmts[i].op == DH_SCAN_CALLS
					     ? dh_scan_callee(run->p, &f->stmts[i])
					     : 0;
			const struct dh_scan_rule *r = y ? dh_scan_rule_of(run, y) : NULL;
			uint32_t to = y ? run->p->symbols[y].function : 0, k = 0;

			if (r && r->verb >= DH_SV_ACQUIRE && r->verb <= DH_SV_SEM_POST)
				return true;
			while (k < n && todo[k] != to)
				k++;
			if (to && k == n && n < MAX_INSIDE)
				todo[n++] = to;
		}
	}
	return false;
}

/* "Locker::Locker" and "Locker::~Locker": objects that have a lock while they live. */
static bool is_special(const char *pretty)
{
	const char *last = strrchr(pretty, ':'), *before;
	size_t n;

	if (!last || last == pretty)
		return false;
	last++;
	n = strlen(last);
	before = last - 2;
	return *last == '~' ||
	       ((size_t)(before - pretty) >= n && strncmp(before - n, last, n) == 0 &&
		       (before - n == pretty || before[-(ptrdiff_t)n - 1] == ':'));
}

/* Which argument the text names, from 1; 0: none.  A method's attribute without a name means its
 * object.  What the parameters of a function without a body are called is not known: a name that no
 * variable has is that of the first. */
static uint8_t named_argument(
	const struct dh_scan_run *run, const struct dh_scan_function *f, const char *text)
{
	char name[MAX_TEXT];
	const char *rest = take_name(text, name);

	if (!*text || (rest && strcmp(name, "this") == 0))
		return 1;
	if (!rest || *rest)
		return 0;
	for (uint32_t i = 0; f && i < f->n_params && i < UINT8_MAX; i++)
		if (strcmp(dh_scan_text(run->p, f->params[i].name), name) == 0)
			return (uint8_t)(i + 1);
	return !f && !global(run, name, &(struct place){0}) ? 1 : 0;
}

/* try_acquire_capability(true, mu): the result that means success comes first. */
static const char *take_success(const char *text, struct dh_scan_rule *r)
{
	const char *comma = strchr(text, ',');

	text += strspn(text, " \t");
	r->success_nonzero = *text != '0' && *text != 'f';
	return comma ? comma + 1 + strspn(comma + 1, " \t") : "";
}

static const struct dh_scan_rule *make_rule(
	struct dh_scan_run *run, uint32_t symbol, const struct dh_scan_fact *fact, size_t kind)
{
	const struct dh_scan_symbol *y = &run->p->symbols[symbol];
	const struct dh_scan_function *f = y->function ? run->p->functions[y->function] : NULL;
	const char *text = dh_scan_text(run->p, fact->text);
	struct dh_scan_rule *r = dh_arena_alloc(&run->p->arena, sizeof(*r));

	*r = (struct dh_scan_rule){.name = dh_scan_text(run->p, y->pretty),
		.verb = kinds[kind].verb,
		.words = kinds[kind].words,
		.n_args = 1};
	if (r->verb == DH_SV_TRY)
		text = take_success(text, r);
	r->arg[0] = named_argument(run, f, text);
	return r->arg[0] && !is_special(r->name) ? r : NULL;
}

const struct dh_scan_rule *dh_scan_said_rule(struct dh_scan_run *run, uint32_t symbol)
{
	const struct dh_scan_fact *fact;
	uint32_t at = 0, fn = run->p->symbols[symbol].function;

	while ((fact = next_fact(run, symbol, &at))) {
		const char *kind = dh_scan_text(run->p, fact->kind);

		for (size_t i = 0; i < DH_ARRAY_SIZE(kinds); i++)
			if (strcmp(kind, kinds[i].name) == 0)
				return fn && shows_how(run, fn) ? NULL
								: make_rule(run, symbol, fact, i);
	}
	return NULL;
}
