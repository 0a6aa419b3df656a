#include "scan/extract/names.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"

/* Behind the bracket that closes the one at s, whatever stands in between. */
static const char *behind(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		if (strchr("<({[", *s))
			depth++;
		else if (strchr(">)}]", *s) && !(s[0] == '>' && s[-1] == '-') && --depth == 0)
			return s + 1;
	}
	return s;
}

static bool begins_word(const char *all, const char *s, const char *word)
{
	size_t n = strlen(word);

	return strncmp(s, word, n) == 0 && !isalnum((unsigned char)s[n]) && s[n] != '_' &&
	       (s == all || (!isalnum((unsigned char)s[-1]) && s[-1] != '_'));
}

/* "operator" and its symbol, whose brackets are none. */
static const char *copy_operator(const char *s, struct dh_buf *out)
{
	static const char *const symbols[] = {
		"()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"};

	dh_buf_adds(out, "operator");
	s += strlen("operator");
	for (size_t i = 0; i < DH_ARRAY_SIZE(symbols); i++) {
		if (strncmp(s, symbols[i], strlen(symbols[i])) == 0) {
			dh_buf_adds(out, symbols[i]);
			s += strlen(symbols[i]);
			/* "operator< <int>" has a space before its arguments. */
			return s + (strncmp(s, " <", 2) == 0);
		}
	}
	while (*s && *s != '(' && *s != '<')
		dh_buf_addc(out, *s++);
	return s;
}

/* Parameters end the name, unless it is that of something within the function. */
static const char *skip_parameters(const char *s, struct dh_buf *out)
{
	static const char anonymous[] = "(anonymous namespace)";
	const char *rest;

	if (strncmp(s, anonymous, sizeof(anonymous) - 1) == 0) {
		dh_buf_adds(out, anonymous);
		return s + sizeof(anonymous) - 1;
	}
	rest = behind(s);
	if (strncmp(rest, " const::", 8) == 0)
		rest += 6;
	return strncmp(rest, "::", 2) == 0 ? rest : "";
}

/* std::__cxx11::, std::__1:: and the like. */
static const char *skip_inline_namespace(const char *s, const struct dh_buf *out)
{
	static const char *const names[] = {"__cxx11::", "__1::", "_V2::"};

	if (out->len < 5 || strcmp(out->data + out->len - 5, "std::") != 0)
		return s;
	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		if (strncmp(s, names[i], strlen(names[i])) == 0)
			return s + strlen(names[i]);
	}
	return s;
}

char *dh_scan_short_name(const char *demangled)
{
	struct dh_buf out = DH_BUF_INIT;
	const char *s = demangled;

	while (*s) {
		s = skip_inline_namespace(s, &out);
		if (!*s)
			break;
		if (begins_word(demangled, s, "operator")) {
			s = copy_operator(s, &out);
		} else if (*s == '<' || *s == '[') {
			s = behind(s);
		} else if (*s == '{') {
			const char *end = behind(s);

			dh_buf_add(&out, s, (size_t)(end - s));
			s = end;
		} else if (*s == '(') {
			s = skip_parameters(s, &out);
		} else if (*s == ' ') {
			/* What stood before was the result. */
			dh_buf_clear(&out);
			s++;
		} else {
			dh_buf_addc(&out, *s++);
		}
	}
	dh_buf_adds(&out, "");
	return dh_buf_steal(&out);
}
