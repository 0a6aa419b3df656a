/* The table's outputs against the kernel of this machine: see probe.h. */
#include "probe.h"

#include <stdio.h>

static int enter(void **state)
{
	probe_reset();
	return 0;
}

static void covers_enough(void **state)
{
	print_message("%d calls made, %d of them wrote memory\n", probe_covered(),
		probe_covered_writing());
	assert_true(probe_covered() >= 200);
	assert_true(probe_covered_writing() >= 80);
}

#define GROUP(name) cmocka_unit_test_setup(outputs_of_##name, enter)
#define IN_A_DIR(name)                                                                             \
	cmocka_unit_test_setup_teardown(outputs_of_##name, probe_enter_dir, probe_leave_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_DIR(files),
		IN_A_DIR(attributes),
		IN_A_DIR(directories),
		IN_A_DIR(copies),
		IN_A_DIR(extended_attributes),
		IN_A_DIR(descriptors),
		GROUP(mounts),
		GROUP(waiting),
		GROUP(interrupted_waiting),
		IN_A_DIR(event_descriptors),
		GROUP(bad_memory),
		GROUP(sockets),
		GROUP(datagrams),
		GROUP(messages),
		GROUP(socket_options),
		GROUP(terminals),
		GROUP(interfaces),
		IN_A_DIR(file_requests),
		GROUP(identity),
		GROUP(limits),
		GROUP(children),
		GROUP(signals),
		GROUP(prctl),
		GROUP(futexes),
		GROUP(memory),
		GROUP(clocks),
		GROUP(timers),
		GROUP(sleeping),
		GROUP(system_v),
		GROUP(message_queues),
		GROUP(keys),
		GROUP(the_system),
		cmocka_unit_test(covers_enough),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
