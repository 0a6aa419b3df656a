/* Locales, wide characters, iconv and regular expressions of the C library. */
#include "t.h"
#include <iconv.h>
#include <locale.h>
#include <regex.h>
#include <wchar.h>

int main(void)
{
	char in[] = "na\xc3\xafve", out[64], *ip = in, *op = out;
	size_t il = strlen(in), ol = sizeof(out);
	regmatch_t m[3];
	char text[64];
	iconv_t cd;
	regex_t re;

	say("locale %s\n", setlocale(LC_ALL, "C.UTF-8") ? "C.UTF-8" : "C");
	say("%zu wide characters\n", mbstowcs(NULL, in, 0));
	cd = iconv_open("UTF-16LE", "UTF-8");
	CHECK(cd != (iconv_t)-1);
	CHECK(iconv(cd, &ip, &il, &op, &ol) == 0);
	say("utf-16 %zu bytes %016lx\n", sizeof(out) - ol, t_hash(out, sizeof(out) - ol));
	iconv_close(cd);
	snprintf(text, sizeof(text), "key%d=%lu", getpid(), t_now_ns());
	CHECK(regcomp(&re, "([a-z]+[0-9]+)=([0-9]+)", REG_EXTENDED) == 0);
	CHECK(regexec(&re, text, 3, m, 0) == 0);
	say("%.*s is %s\n", m[1].rm_eo, text, text + m[2].rm_so);
	regfree(&re);
	return 0;
}
