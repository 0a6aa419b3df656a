/* longjmp() leaves functions without __tsan_func_exit(): their frames go here.  The C library keeps
 * the stack pointer of a jump buffer in disguise: rotated, and mixed with a secret of the thread.
 */
#include <setjmp.h>

#include "sched/detect.h"
#include "sched/frames.h"
#include "sched/next.h"

#define SP_INDEX 6 /* of glibc's jump buffer on this processor */

static uintptr_t stack_pointer(const struct __jmp_buf_tag *buffer)
{
	uintptr_t sp = (uintptr_t)buffer->__jmpbuf[SP_INDEX], secret;

	__asm__("movq %%fs:0x30, %0" : "=r"(secret));
	return (sp >> 17 | sp << 47) ^ secret;
}

#define JUMP(name)                                                                                 \
	_Noreturn void name(struct __jmp_buf_tag buffer[1], int value);                            \
	DH_EXPORT void name(struct __jmp_buf_tag buffer[1], int value)                             \
	{                                                                                          \
		void (*next)(struct __jmp_buf_tag *, int) = dh_next(#name);                        \
                                                                                                   \
		if (dh_frames.base)                                                                \
			dh_frames_unwind(&dh_frames, stack_pointer(buffer));                       \
		if (dh_self)                                                                       \
			dh_detect_jumped(dh_self, stack_pointer(buffer));                          \
		next(buffer, value);                                                               \
		__builtin_unreachable();                                                           \
	}

#undef longjmp
#undef siglongjmp
JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
