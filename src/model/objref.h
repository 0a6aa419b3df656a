/* The objects that a system call names, by the part that they play in it. */
#pragma once

enum dh_ref_role {
	DH_REF_PATH,  /* the first path */
	DH_REF_PATH2, /* the second one */
	DH_REF_FD,    /* an existing descriptor */
	DH_REF_FD2,
	DH_REF_NEW, /* a descriptor that the call made */
	DH_REF_NEW2,
	DH_REF_ROLES,
};
