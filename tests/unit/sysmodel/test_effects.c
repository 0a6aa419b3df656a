/* The table of effects: what it must hold together with the table of calls. */
#include "../unit.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "sysmodel/effects.h"
#include "sysmodel/sysmodel.h"

static void covers_what_programs_use(void **state)
{
	unsigned effects = 0;

	(void)state;
	assert_true(dh_sysmodel_effects_count() >= 200);
	for (int64_t nr = 0; nr <= DH_SYS_MAX_NR; nr++)
		effects += dh_sysmodel_effects(nr)->known && dh_sysmodel_effects(nr)->effects[0].op;
	assert_true(effects >= 100);
	assert_false(dh_sysmodel_effects(-1)->known);
	assert_false(dh_sysmodel_effects(DH_SYS_MAX_NR + 1)->known);
}

/* Arguments that a row names exist, and what it says of descriptors agrees with the other table. */
static void agrees_with_the_calls(void **state)
{
	(void)state;
	for (int64_t nr = 0; nr <= DH_SYS_MAX_NR; nr++) {
		const struct dh_sys_effects *row = dh_sysmodel_effects(nr);
		const struct dh_sys_desc *d = dh_sysmodel_find(nr);

		if (!row->known)
			continue;
		assert_non_null(d);
		assert_true(row->count <= d->n_args && row->offset <= d->n_args);
		for (int i = 0; i < DH_SYS_REFS; i++) {
			const struct dh_sys_ref *ref = &row->refs[i];

			if (ref->kind == DH_SYS_REF_NONE)
				continue;
			if (ref->kind == DH_SYS_REF_NEW)
				assert_true(d->flags & DH_SYS_FD_NEW);
			else
				assert_true(ref->arg < d->n_args);
		}
	}
}

static void links_in_the_last_place(void **state)
{
	const struct dh_sys_ref *open = &dh_sysmodel_effects(SYS_open)->refs[0];
	const struct dh_sys_ref *lstat = &dh_sysmodel_effects(SYS_lstat)->refs[0];
	const struct dh_sys_ref *at = &dh_sysmodel_effects(SYS_newfstatat)->refs[0];

	(void)state;
	assert_true(dh_sysmodel_follows(open, (const uint64_t[6]){0, O_RDONLY}));
	assert_false(dh_sysmodel_follows(open, (const uint64_t[6]){0, O_NOFOLLOW}));
	assert_false(dh_sysmodel_follows(open, (const uint64_t[6]){0, O_CREAT | O_EXCL}));
	assert_false(dh_sysmodel_follows(lstat, (const uint64_t[6]){0}));
	assert_true(dh_sysmodel_follows(at, (const uint64_t[6]){0}));
	assert_false(dh_sysmodel_follows(at, (const uint64_t[6]){0, 0, 0, AT_SYMLINK_NOFOLLOW}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(covers_what_programs_use),
		cmocka_unit_test(agrees_with_the_calls),
		cmocka_unit_test(links_in_the_last_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
