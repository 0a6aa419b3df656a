/* The landing area's code: what the tracer injects calls through, and the way into and out of the
 * buffer.  Offsets are fixed by src/wire/landing.h and src/wire/buffer.h. */
#include "wire/buffer.h"

#define AT(address) .org (address) - DH_LANDING_CODE, 0xcc
#define HERE(address) .org (address) - DH_LANDING_CODE, 0x90

	.section .note.GNU-stack, "", @progbits
	.section .landing, "ax", @progbits
	.globl _start, dh_buffer_call, dh_buffer_stop, dh_buffer_wait
_start:
	syscall
	int3

	AT(DH_BUFFER_CALL_END - 2)
dh_buffer_call:
	syscall
	ret

	AT(DH_BUFFER_TRAP_END - 2)
trap:
	syscall
	ud2

	AT(DH_BUFFER_STOP_END - 2)
stop:
	syscall
	ret

/* From a trampoline: rax is the number, rcx the way back, the program's stack pointer is in the
 * area and ours in rsp.  A struct dh_buffer_frame is built; rcx and r11 are a call's to destroy. */
	AT(DH_BUFFER_ENTRY)
	pushfq
	andl $~0x100, (%rsp) /* a debugger that steps through here leaves its trap flag */
	cld
	push %rcx
	push %r9
	push %r8
	push %r10
	push %rdx
	push %rsi
	push %rdi
	push %rax
	mov %rbx, DH_AREA_KEPT
	mov %rbp, DH_AREA_KEPT + 8
	mov %r12, DH_AREA_KEPT + 16
	mov %r13, DH_AREA_KEPT + 24
	mov %r14, DH_AREA_KEPT + 32
	mov %r15, DH_AREA_KEPT + 40
	mov %rsp, %rdi
	call dh_buffer_dispatch
out:
	cmpl $0, DH_AREA_TRAP
	HERE(DH_BUFFER_LEAVING)
	jne trapped
	pop %rax
	pop %rdi
	pop %rsi
	pop %rdx
	pop %r10
	pop %r8
	pop %r9
	pop %rcx
	mov (%rsp), %r11
	popfq
	mov DH_AREA_SP, %rsp
	jmp *%rcx

	AT(DH_BUFFER_LEFT)
trapped:
	mov (%rsp), %rax
	mov %rax, DH_AREA_RESULT
	mov 56(%rsp), %rax
	mov %rax, DH_AREA_TARGET
	pop %rax
	pop %rdi
	pop %rsi
	pop %rdx
	pop %r10
	pop %r8
	pop %r9
	pop %rcx
	popfq
	mov DH_AREA_SP, %rsp
	mov $DH_BUFFER_STOP_NR, %eax
	jmp trap

/* The tracer brings us here after a fault, from anywhere in the code. */
	AT(DH_BUFFER_BAIL)
	mov $DH_AREA_FRAME, %esp
	mov DH_AREA_KEPT, %rbx
	mov DH_AREA_KEPT + 8, %rbp
	mov DH_AREA_KEPT + 16, %r12
	mov DH_AREA_KEPT + 24, %r13
	mov DH_AREA_KEPT + 32, %r14
	mov DH_AREA_KEPT + 40, %r15
	subq $2, 56(%rsp)
	jmp out

dh_buffer_stop:
	mov %rcx, %r10
	mov $DH_BUFFER_STOP_NR, %eax
	jmp stop

/* A call that may wait.  When it is interrupted before or while it waits the tracer finds us
 * somewhere in here, and lets us return -EINTR: nothing has been done. */
	AT(DH_BUFFER_WAIT)
dh_buffer_wait:
	cmpl $0, DH_AREA_TRAP
	jne interrupted
	HERE(DH_BUFFER_WAIT_END - 2)
	syscall
	ret
interrupted:
	mov $-4, %rax
	ret

	AT(DH_LANDING_BATCH)
	mov %rdi, %rbx
	mov %rsi, %r12
1:	mov (%rbx), %rax
	mov 8(%rbx), %rdi
	mov 16(%rbx), %rsi
	mov 24(%rbx), %rdx
	mov 32(%rbx), %r10
	mov 40(%rbx), %r8
	mov 48(%rbx), %r9
	call dh_buffer_call
	mov %rax, 56(%rbx)
	add $64, %rbx
	cmp %r12, %rbx
	jne 1b
	int3
