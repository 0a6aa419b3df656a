/* Emitters for requests of ioctl whose structures carry lengths or pointers. */
#include "sysmodel/emit.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/fsmap.h>
#include <linux/fsverity.h>
#include <linux/if.h>
#include <linux/net_tstamp.h>

#define LIST_MAX (1U << 20) /* elements of a list that a request returns */

/* struct ifconf: bytes filled, and where. */
void dh_emit_ifconf(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t at = e->c->arg[2];
	struct ifconf conf;

	if (!dh_emit_read(e, at, &conf, sizeof(conf)))
		return;
	dh_emit_range(e, at, sizeof(conf));
	if (e->out && conf.ifc_len > 0)
		dh_emit_range(e, (uintptr_t)conf.ifc_buf, (uint64_t)conf.ifc_len);
}

/* A header that counts the elements behind it. */
static void counted(struct dh_sys_emit *e, size_t header, uint64_t n, size_t element)
{
	n = e->out ? DH_MIN(n, (uint64_t)LIST_MAX) : 0;
	dh_emit_range(e, e->c->arg[2], header + n * element);
}

void dh_emit_fiemap(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct fiemap map;

	if (!dh_emit_read(e, e->c->arg[2], &map, sizeof(map)))
		return;
	/* Asked for no extents, the kernel counts them and stores none. */
	counted(e, sizeof(map), DH_MIN(map.fm_mapped_extents, map.fm_extent_count),
		sizeof(struct fiemap_extent));
}

void dh_emit_dedupe(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct file_dedupe_range range;

	if (dh_emit_read(e, e->c->arg[2], &range, sizeof(range)))
		counted(e, sizeof(range), range.dest_count, sizeof(struct file_dedupe_range_info));
}

void dh_emit_fsmap(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct fsmap_head head;

	if (!dh_emit_read(e, e->c->arg[2], &head, sizeof(head)))
		return;
	counted(e, sizeof(head), DH_MIN(head.fmh_entries, head.fmh_count), sizeof(struct fsmap));
}

void dh_emit_verity(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct fsverity_digest d;

	if (dh_emit_read(e, e->c->arg[2], &d, sizeof(d)))
		counted(e, sizeof(d), d.digest_size, 1);
}

/* A size, then that many bytes of a policy. */
void dh_emit_policy_ex(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t size;

	if (dh_emit_read(e, e->c->arg[2], &size, sizeof(size)))
		counted(e, sizeof(size), size, 1);
}

/* The commands that fill a structure of fixed size, whose bytes hold no pointers. */
static const struct {
	uint32_t cmd, size;
} ethtool_sizes[] = {
	{ETHTOOL_GSET, sizeof(struct ethtool_cmd)},
	{ETHTOOL_GDRVINFO, sizeof(struct ethtool_drvinfo)},
	{ETHTOOL_GWOL, sizeof(struct ethtool_wolinfo)},
	{ETHTOOL_GMSGLVL, sizeof(struct ethtool_value)},
	{ETHTOOL_GLINK, sizeof(struct ethtool_value)},
	{ETHTOOL_GCOALESCE, sizeof(struct ethtool_coalesce)},
	{ETHTOOL_GRINGPARAM, sizeof(struct ethtool_ringparam)},
	{ETHTOOL_GPAUSEPARAM, sizeof(struct ethtool_pauseparam)},
	{ETHTOOL_GRXCSUM, sizeof(struct ethtool_value)},
	{ETHTOOL_GTXCSUM, sizeof(struct ethtool_value)},
	{ETHTOOL_GSG, sizeof(struct ethtool_value)},
	{ETHTOOL_GTSO, sizeof(struct ethtool_value)},
	{ETHTOOL_GUFO, sizeof(struct ethtool_value)},
	{ETHTOOL_GGSO, sizeof(struct ethtool_value)},
	{ETHTOOL_GFLAGS, sizeof(struct ethtool_value)},
	{ETHTOOL_GGRO, sizeof(struct ethtool_value)},
	{ETHTOOL_GCHANNELS, sizeof(struct ethtool_channels)},
	{ETHTOOL_GET_TS_INFO, sizeof(struct ethtool_ts_info)},
	{ETHTOOL_GEEE, sizeof(struct ethtool_eee)},
};

static void ethtool_data(struct dh_sys_emit *e, uint64_t data)
{
	uint32_t cmd;

	if (!dh_emit_read(e, data, &cmd, sizeof(cmd)))
		return;
	for (size_t i = 0; i < DH_ARRAY_SIZE(ethtool_sizes); i++) {
		if (ethtool_sizes[i].cmd == cmd) {
			dh_emit_range(e, data, ethtool_sizes[i].size);
			return;
		}
	}
	e->err = -ENOTSUP;
}

void dh_emit_ethtool(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct ifreq req;

	if (!dh_emit_read(e, e->c->arg[2], &req, sizeof(req)))
		return;
	dh_emit_range(e, e->c->arg[2], sizeof(req));
	if (e->out)
		ethtool_data(e, (uintptr_t)req.ifr_data);
}

void dh_emit_ifreq_hwtstamp(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct ifreq req;

	if (!dh_emit_read(e, e->c->arg[2], &req, sizeof(req)))
		return;
	dh_emit_range(e, e->c->arg[2], sizeof(req));
	dh_emit_range(e, (uintptr_t)req.ifr_data, sizeof(struct hwtstamp_config));
}
