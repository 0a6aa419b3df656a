/* What the kernel puts on the stack for a signal handler. */
#pragma once

/* Where the siginfo lies, behind the return address and the saved context.  The kernel leaves it
 * out when the handler was installed without SA_SIGINFO. */
#define DH_FRAME_SIGINFO 312
