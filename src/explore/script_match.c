/* Lines of a script that fit a command or a name. */
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "explore/script.h"

#define WORDS_MAX 64

/* A word of a line: its text, or something that only the shell knows. */
struct word {
	const char *at;
	size_t n;
	bool open; /* has a variable, a pattern or a command in it */
};

struct words {
	struct word w[WORDS_MAX];
	size_t n;
};

static void split_command(const char *command, struct words *ret)
{
	ret->n = 0;
	while (*command && ret->n < WORDS_MAX) {
		size_t n = strcspn(command, " ");

		if (n)
			ret->w[ret->n++] = (struct word){.at = command, .n = n};
		command += n + (command[n] == ' ');
	}
}

static bool same(const struct word *a, const struct word *b)
{
	return a->n == b->n && strncmp(a->at, b->at, a->n) == 0;
}

/* Programs are called by their names. */
static struct word base_of(struct word w)
{
	for (size_t i = w.n; i-- > 0;) {
		if (w.at[i] == '/' && i + 1 < w.n)
			return (struct word){.at = w.at + i + 1, .n = w.n - i - 1};
	}
	return w;
}

/* Whether the words of the line, from i on, can have become those of the command behind its name:
 * what is open stands for any number of words, and the latest one that is can take more. */
static bool fits(const struct words *line, size_t i, const struct words *command)
{
	size_t k = 1, open = SIZE_MAX, taken = 0;

	while (k < command->n) {
		if (i < line->n && line->w[i].open) {
			open = i++;
			taken = k;
		} else if (i < line->n && same(&line->w[i], &command->w[k])) {
			i++;
			k++;
		} else if (open != SIZE_MAX) {
			i = open + 1;
			k = ++taken;
		} else {
			return false;
		}
	}
	while (i < line->n && line->w[i].open)
		i++;
	return i == line->n;
}

static bool is_keyword(const struct word *w)
{
	static const char *const list[] = {"if", "then", "else", "elif", "do", "while", "until",
		"!", "time", "exec", "env", "nohup", "command", "nice"};

	for (size_t i = 0; i < DH_ARRAY_SIZE(list); i++)
		if (w->n == strlen(list[i]) && strncmp(w->at, list[i], w->n) == 0)
			return true;
	return false;
}

static bool is_assignment(const struct word *w)
{
	size_t i = 0;

	while (i < w->n && (isalnum((unsigned char)w->at[i]) || w->at[i] == '_'))
		i++;
	return i && i < w->n && w->at[i] == '=';
}

/* One simple command of a line: 1 sure, -1 with something open in it, 0 another one. */
static int compare(struct words *line, const struct words *command)
{
	size_t skip = 0;
	bool open = false;
	struct word one, two;

	while (skip < line->n && (is_keyword(&line->w[skip]) || is_assignment(&line->w[skip])))
		skip++;
	if (skip == line->n || !command->n || line->w[skip].open)
		return 0;
	one = base_of(line->w[skip]);
	two = base_of(command->w[0]);
	for (size_t i = skip + 1; i < line->n; i++)
		open |= line->w[i].open;
	if (!same(&one, &two) || !fits(line, skip + 1, command))
		return 0;
	return open ? -1 : 1;
}

static bool is_open(char c)
{
	return c == '$' || c == '`' || c == '*' || c == '?' || c == '[' || c == '~' || c == '\\';
}

/* A command line shows a word with blanks as several. */
static void add_word(struct words *ret, struct word w)
{
	const char *blank;

	while (!w.open && (blank = memchr(w.at, ' ', w.n)) && ret->n < WORDS_MAX) {
		ret->w[ret->n++] = (struct word){.at = w.at, .n = (size_t)(blank - w.at)};
		w.n -= (size_t)(blank - w.at) + 1;
		w.at = blank + 1;
	}
	if (ret->n < WORDS_MAX)
		ret->w[ret->n++] = w;
}

/* A word that ends at a blank or an operator; what is quoted belongs to it. */
static const char *take_word(const char *p, const char *end, struct words *ret)
{
	struct word w = {.at = p};
	char quote = 0;

	for (; p < end && (quote || !strchr(" \t;&|(){}<>", *p)); p++) {
		if (quote ? *p == quote : *p == '\'' || *p == '"')
			quote = quote ? 0 : *p;
		else if (quote != '\'' && is_open(*p))
			w.open = true;
	}
	w.n = (size_t)(p - w.at);
	/* Quotes around a whole word are no part of it; anywhere else they are left to guessing. */
	if (w.n >= 2 && (w.at[0] == '\'' || w.at[0] == '"') && w.at[w.n - 1] == w.at[0]) {
		w.at++;
		w.n -= 2;
	}
	w.open |= memchr(w.at, '\'', w.n) || memchr(w.at, '"', w.n);
	add_word(ret, w);
	return p;
}

/* A redirection and where it goes. */
static const char *skip_redirection(const char *p, const char *end, struct words *line)
{
	struct words dropped = {.n = 0};

	if (line->n && line->w[line->n - 1].n == 1 &&
		isdigit((unsigned char)line->w[line->n - 1].at[0]) &&
		line->w[line->n - 1].at + 1 == p)
		line->n--;
	while (p < end && strchr("<>&", *p))
		p++;
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return take_word(p, end, &dropped);
}

/* The best of the simple commands on the line. */
static int compare_line(const char *p, const char *end, const struct words *command)
{
	struct words line = {.n = 0};
	int best = 0;

	while (p <= end) {
		int now;

		if (p < end && *p == '#' && !line.n)
			end = p;
		if (p < end && (*p == ' ' || *p == '\t')) {
			p++;
		} else if (p < end && (*p == '<' || *p == '>')) {
			p = skip_redirection(p, end, &line);
		} else if (p < end && !strchr(";&|(){}", *p)) {
			p = take_word(p, end, &line);
		} else {
			now = compare(&line, command);
			best = now == 1 || best == 0 ? (now ? now : best) : best;
			line.n = 0;
			p++;
		}
	}
	return best;
}

static void add(struct dh_script_lines *ret, uint32_t line)
{
	if (ret->n < DH_SCRIPT_LINES)
		ret->line[ret->n] = line;
	ret->n++;
}

/* Behind a variable of make: $@, $(CC), ${CC}. */
static const char *skip_variable(const char *p, const char *end)
{
	const char *close = p + 1 < end && (p[1] == '(' || p[1] == '{')
				    ? memchr(p, p[1] == '(' ? ')' : '}', (size_t)(end - p))
				    : p + 1;

	return close && close < end ? close + 1 : end;
}

/* Whether the line can have become the text: 1 as it is, -1 with its variables. */
static int expands_to(const char *p, const char *end, const char *text)
{
	const char *behind = NULL, *taken = NULL;

	while (*text) {
		if (p < end && *p == '$') {
			behind = p = skip_variable(p, end);
			taken = text;
		} else if (p < end && *p == *text) {
			p++;
			text++;
		} else if (behind) {
			p = behind;
			text = ++taken;
		} else {
			return 0;
		}
	}
	while (p < end && *p == '$') {
		behind = p;
		p = skip_variable(p, end);
	}
	return p < end ? 0 : behind ? -1 : 1;
}

/* What make gives to a shell as a whole is a line of a recipe. */
static int compare_recipe(const char *p, const char *end, const char *recipe)
{
	if (p == end || *p != '\t')
		return 0;
	p += strspn(p, "\t@+- ");
	return p < end ? expands_to(p, end, recipe) : 0;
}

void dh_script_find_command(const char *text, const char *command, struct dh_script_lines *ret)
{
	const char *recipe = strstr(command, "sh -c ");
	struct dh_script_lines sure = {0}, maybe = {0};
	struct words words;
	uint32_t number = 1;

	split_command(command, &words);
	for (const char *end; *text; text = end + (*end == '\n'), number++) {
		int fit;

		end = text + strcspn(text, "\n");
		fit = compare_line(text, end, &words);
		if (!fit && recipe)
			fit = compare_recipe(text, end, recipe + strlen("sh -c "));
		if (fit)
			add(fit > 0 ? &sure : &maybe, number);
	}
	*ret = sure.n ? sure : maybe;
	ret->exact = sure.n == 1;
}

static bool is_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* Whether the line has the name as a word of its own; behind a `>` if asked for. */
static bool mentions(const char *line, const char *end, const char *name, bool to)
{
	size_t n = strlen(name);

	for (const char *p = line; p + n <= end; p++) {
		const char *before = p;

		if (strncmp(p, name, n) != 0 || (p > line && is_part(p[-1])) ||
			(p + n < end && is_part(p[n])))
			continue;
		while (before > line && !strchr(" \t>", before[-1]))
			before--; /* the path before it */
		while (before > line && (before[-1] == ' ' || before[-1] == '\t'))
			before--;
		if (!to || (before > line && before[-1] == '>'))
			return true;
	}
	return false;
}

void dh_script_find_name(const char *text, const char *name, bool to, struct dh_script_lines *ret)
{
	uint32_t number = 1;

	*ret = (struct dh_script_lines){0};
	for (const char *end; *text; text = end + (*end == '\n'), number++) {
		end = text + strcspn(text, "\n");
		if (*text != '#' && mentions(text, end, name, to))
			add(ret, number);
	}
}
