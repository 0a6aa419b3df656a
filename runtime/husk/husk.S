/* What a replay executes in place of each program: nothing but the landing area (wire/landing.h).
 * The replayer maps the recorded image around it and never returns to this code. */
	.section .note.GNU-stack, "", @progbits

	.section .landing, "ax", @progbits
	.globl _start
_start:
	syscall
	int3

	.section .scratch, "aw", @progbits
	.fill 4096, 1, 0
