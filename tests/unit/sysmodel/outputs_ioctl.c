/* ioctl: terminals, interfaces, files. */
#include "probe.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/if.h>
#include <linux/random.h>
#include <linux/sockios.h>
#include <sys/socket.h>
#include <unistd.h>

void outputs_of_terminals(void **state)
{
	int64_t master =
		CALL(openat, (uint64_t)AT_FDCWD, probe_str("/dev/ptmx"), O_RDWR | O_NOCTTY);
	uint64_t buf = probe_room(100), zero = probe_put(&(int){0}, 4);
	int64_t slave;

	if (master < 0)
		skip();
	OK(ioctl, master, TIOCSPTLCK, zero);
	OK_BYTES(4, ioctl, master, TIOCGPTN, buf);
	slave = OK(ioctl, master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
	OK_BYTES(36, ioctl, slave, TCGETS, buf);
	OK(ioctl, slave, TCSETS, buf);
	OK_BYTES(44, ioctl, slave, TCGETS2, buf);
	OK_BYTES(18, ioctl, slave, TCGETA, buf);
	OK_BYTES(8, ioctl, slave, TIOCGWINSZ, buf);
	OK(ioctl, slave, TIOCSWINSZ, buf);
	OK_BYTES(4, ioctl, slave, TIOCOUTQ, buf);
	OK_BYTES(4, ioctl, slave, FIONREAD, buf);
	OK_BYTES(4, ioctl, slave, TIOCGETD, buf);
	OK_BYTES(4, ioctl, slave, TIOCGEXCL, buf);
	OK_BYTES(4, ioctl, master, TIOCGPKT, buf);
	OK_BYTES(4, ioctl, master, TIOCGPTLCK, buf);
	OK_BYTES(4, ioctl, slave, TIOCGDEV, buf);
	OK_BYTES(36, ioctl, slave, TIOCGLCKTRMIOS, buf);
	CALL(ioctl, slave, TIOCGPGRP, buf);
	CALL(ioctl, slave, TIOCGSID, buf);
	OK(ioctl, slave, TCFLSH, 2);
	OK(ioctl, slave, FIONBIO, zero);
	OK(ioctl, slave, FIOCLEX);
	OK(close, slave);
	OK(close, master);
}

static uint64_t new_ifreq(void)
{
	return NEW_STRUCT(struct ifreq, .ifr_name = "lo");
}

void outputs_of_interfaces(void **state)
{
	int64_t s = OK(socket, AF_INET, SOCK_DGRAM, 0);
	uint64_t list = probe_room(10 * sizeof(struct ifreq));
	uint64_t conf = NEW_STRUCT(
		struct ifconf, .ifc_len = 10 * sizeof(struct ifreq), .ifc_buf = probe_at(list));
	struct ifreq req = {.ifr_name = "lo"};
	uint64_t value = NEW_STRUCT(struct ethtool_value, .cmd = ETHTOOL_GLINK);

	OK(ioctl, s, SIOCGIFCONF, conf);
	if (CALL(ioctl, s, SIOCGIFINDEX, new_ifreq()) < 0)
		skip();
	OK(ioctl, s, SIOCGIFFLAGS, new_ifreq());
	OK(ioctl, s, SIOCGIFMTU, new_ifreq());
	OK(ioctl, s, SIOCGIFHWADDR, new_ifreq());
	OK(ioctl, s, SIOCGIFTXQLEN, new_ifreq());
	OK(ioctl, s, SIOCGIFMAP, new_ifreq());
	CALL(ioctl, s, SIOCGIFADDR, new_ifreq());
	CALL(ioctl, s, SIOCGIFNETMASK, new_ifreq());
	OK(ioctl, s, SIOCGIFNAME, NEW_STRUCT(struct ifreq, .ifr_ifindex = 1));
	req.ifr_data = probe_at(value);
	OK(ioctl, s, SIOCETHTOOL, probe_put(&req, sizeof(req)));
	CALL(ioctl, s, SIOCGSTAMP_OLD, probe_room(16));
	CALL(ioctl, s, SIOCGPGRP, probe_room(4));
	OK(close, s);
	/* Not listed, and its structure has pointers: nothing is known. */
	assert_true(CALL(ioctl, s, 0x8b01, probe_room(32)) < 0);
}

static void extents(int64_t fd)
{
	size_t n = sizeof(struct fiemap) + 4 * sizeof(struct fiemap_extent);
	uint64_t at = probe_room(n);
	struct fiemap *map = probe_at(at);

	memset(map, 0, n);
	map->fm_length = UINT64_MAX;
	CALL(ioctl, fd, FS_IOC_FIEMAP, at); /* counts only */
	map->fm_extent_count = 4;
	CALL(ioctl, fd, FS_IOC_FIEMAP, at);
}

void outputs_of_file_requests(void **state)
{
	int64_t fd = OK(openat, (uint64_t)AT_FDCWD, probe_str("file"), O_RDWR | O_CREAT, 0600);
	int64_t random = OK(openat, (uint64_t)AT_FDCWD, probe_str("/dev/urandom"), O_RDONLY);
	int64_t ns = OK(openat, (uint64_t)AT_FDCWD, probe_str("/proc/self/ns/user"), O_RDONLY);
	uint64_t buf = probe_room(300);

	OK(write, fd, probe_str("data"), 4);
	OK(fsync, fd);
	CALL(ioctl, fd, FS_IOC_GETFLAGS, buf);
	CALL(ioctl, fd, FS_IOC_GETVERSION, buf);
	CALL(ioctl, fd, FS_IOC_FSGETXATTR, buf);
	CALL(ioctl, fd, FS_IOC_GETFSLABEL, buf);
	CALL(ioctl, fd, FIGETBSZ, buf); /* an overlay has no blocks */
	OK_BYTES(4, ioctl, fd, FIONREAD, buf);
	CALL(ioctl, fd, FIOQSIZE, buf);
	extents(fd);
	OK_BYTES(4, ioctl, random, RNDGETENTCNT, buf);
	OK(ioctl, ns, 0xb703);        /* NS_GET_NSTYPE */
	CALL(ioctl, ns, 0xb704, buf); /* NS_GET_OWNER_UID */
	assert_int_equal(CALL(ioctl, fd, TCGETS, buf), -ENOTTY);
	assert_int_equal(CALL(ioctl, fd, 0xdeadbeef, buf), -ENOTTY);
	assert_int_equal(probe_bytes(), 0);
	OK(close, fd);
	OK(close, random);
	OK(close, ns);
}
