#include "sysmodel/names.h"

#include <errno.h>
#include <signal.h>

#include "base/buf.h"

void dh_names_add(const struct dh_sys_names *names, uint64_t value, struct dh_buf *out)
{
	const char *separator = "";
	uint64_t left = value;

	for (size_t i = 0; i < names->n; i++) {
		const struct dh_sys_name *row = &names->rows[i];

		/* Bits that a name has used up are not for another one. */
		if ((value & row->mask) != row->value || (left & row->value) != row->value)
			continue;
		dh_buf_addf(out, "%s%s", separator, row->name);
		separator = "|";
		left &= ~row->mask;
		if (row->mask == UINT64_MAX)
			return;
	}
	if (left || !*separator)
		dh_buf_addf(out, "%s%#lx", separator, left);
}

#define S(n) [n] = #n

static const char *const signals[] = {S(SIGHUP), S(SIGINT), S(SIGQUIT), S(SIGILL), S(SIGTRAP),
	S(SIGABRT), S(SIGBUS), S(SIGFPE), S(SIGKILL), S(SIGUSR1), S(SIGSEGV), S(SIGUSR2),
	S(SIGPIPE), S(SIGALRM), S(SIGTERM), S(SIGSTKFLT), S(SIGCHLD), S(SIGCONT), S(SIGSTOP),
	S(SIGTSTP), S(SIGTTIN), S(SIGTTOU), S(SIGURG), S(SIGXCPU), S(SIGXFSZ), S(SIGVTALRM),
	S(SIGPROF), S(SIGWINCH), S(SIGIO), S(SIGPWR), S(SIGSYS)};

static const char *const realtime[] = {"SIGRTMIN", "SIGRT_1", "SIGRT_2", "SIGRT_3", "SIGRT_4",
	"SIGRT_5", "SIGRT_6", "SIGRT_7", "SIGRT_8", "SIGRT_9", "SIGRT_10", "SIGRT_11", "SIGRT_12",
	"SIGRT_13", "SIGRT_14", "SIGRT_15", "SIGRT_16", "SIGRT_17", "SIGRT_18", "SIGRT_19",
	"SIGRT_20", "SIGRT_21", "SIGRT_22", "SIGRT_23", "SIGRT_24", "SIGRT_25", "SIGRT_26",
	"SIGRT_27", "SIGRT_28", "SIGRT_29", "SIGRT_30", "SIGRT_31", "SIGRT_32"};

/* The first of the kernel's real-time signals; libc keeps two of them for itself. */
#define KERNEL_SIGRTMIN 32

const char *dh_sysmodel_signal_name(int sig)
{
	if (sig <= 0)
		return NULL;
	if ((size_t)sig < DH_ARRAY_SIZE(signals))
		return signals[sig];
	if (sig >= KERNEL_SIGRTMIN && (size_t)sig - KERNEL_SIGRTMIN < DH_ARRAY_SIZE(realtime))
		return realtime[sig - KERNEL_SIGRTMIN];
	return NULL;
}

static const char *const errors[] = {S(EPERM), S(ENOENT), S(ESRCH), S(EINTR), S(EIO), S(ENXIO),
	S(E2BIG), S(ENOEXEC), S(EBADF), S(ECHILD), S(EAGAIN), S(ENOMEM), S(EACCES), S(EFAULT),
	S(ENOTBLK), S(EBUSY), S(EEXIST), S(EXDEV), S(ENODEV), S(ENOTDIR), S(EISDIR), S(EINVAL),
	S(ENFILE), S(EMFILE), S(ENOTTY), S(ETXTBSY), S(EFBIG), S(ENOSPC), S(ESPIPE), S(EROFS),
	S(EMLINK), S(EPIPE), S(EDOM), S(ERANGE), S(EDEADLK), S(ENAMETOOLONG), S(ENOLCK), S(ENOSYS),
	S(ENOTEMPTY), S(ELOOP), S(ENOMSG), S(EIDRM), S(ECHRNG), S(EL2NSYNC), S(EL3HLT), S(EL3RST),
	S(ELNRNG), S(EUNATCH), S(ENOCSI), S(EL2HLT), S(EBADE), S(EBADR), S(EXFULL), S(ENOANO),
	S(EBADRQC), S(EBADSLT), S(EBFONT), S(ENOSTR), S(ENODATA), S(ETIME), S(ENOSR), S(ENONET),
	S(ENOPKG), S(EREMOTE), S(ENOLINK), S(EADV), S(ESRMNT), S(ECOMM), S(EPROTO), S(EMULTIHOP),
	S(EDOTDOT), S(EBADMSG), S(EOVERFLOW), S(ENOTUNIQ), S(EBADFD), S(EREMCHG), S(ELIBACC),
	S(ELIBBAD), S(ELIBSCN), S(ELIBMAX), S(ELIBEXEC), S(EILSEQ), S(ERESTART), S(ESTRPIPE),
	S(EUSERS), S(ENOTSOCK), S(EDESTADDRREQ), S(EMSGSIZE), S(EPROTOTYPE), S(ENOPROTOOPT),
	S(EPROTONOSUPPORT), S(ESOCKTNOSUPPORT), S(EOPNOTSUPP), S(EPFNOSUPPORT), S(EAFNOSUPPORT),
	S(EADDRINUSE), S(EADDRNOTAVAIL), S(ENETDOWN), S(ENETUNREACH), S(ENETRESET), S(ECONNABORTED),
	S(ECONNRESET), S(ENOBUFS), S(EISCONN), S(ENOTCONN), S(ESHUTDOWN), S(ETOOMANYREFS),
	S(ETIMEDOUT), S(ECONNREFUSED), S(EHOSTDOWN), S(EHOSTUNREACH), S(EALREADY), S(EINPROGRESS),
	S(ESTALE), S(EUCLEAN), S(ENOTNAM), S(ENAVAIL), S(EISNAM), S(EREMOTEIO), S(EDQUOT),
	S(ENOMEDIUM), S(EMEDIUMTYPE), S(ECANCELED), S(ENOKEY), S(EKEYEXPIRED), S(EKEYREVOKED),
	S(EKEYREJECTED), S(EOWNERDEAD), S(ENOTRECOVERABLE), S(ERFKILL), S(EHWPOISON),
	/* Only tracers see these. */
	[512] = "ERESTARTSYS", [513] = "ERESTARTNOINTR", [514] = "ERESTARTNOHAND",
	[515] = "ENOIOCTLCMD", [516] = "ERESTART_RESTARTBLOCK"};

const char *dh_sysmodel_errno_name(int err)
{
	return err > 0 && (size_t)err < DH_ARRAY_SIZE(errors) ? errors[err] : NULL;
}
