/* Where functions begin and end by the unwind tables: .eh_frame_hdr has a sorted list of all
 * beginnings, for the run-time's own search; the rules' ranges lead from there to the end. */
#include <stdlib.h>
#include <string.h>

#include "sym/session.h"

/* How linkers encode the parts of the header: relative to itself or as plain 32-bit numbers. */
#define VERSION        1
#define ENCODED_FRAMES 0x1b
#define ENCODED_COUNT  0x03
#define ENCODED_TABLE  0x3b
#define HEADER_SIZE    12
#define MAX_ROWS       100000

struct header {
	const uint8_t *table; /* pairs of 32-bit numbers */
	size_t n;
	uint64_t at; /* run-time address of the header */
};

static bool is_known(const uint8_t *p, size_t size)
{
	return size >= HEADER_SIZE && p[0] == VERSION && p[1] == ENCODED_FRAMES &&
	       p[2] == ENCODED_COUNT && p[3] == ENCODED_TABLE;
}

static bool find_header(struct dh_sym_entry *e, struct header *ret)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(e->dwfl, &bias);
	size_t n;

	if (!elf || elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;
		Elf_Data *data;
		uint32_t count;

		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_GNU_EH_FRAME)
			continue;
		data = elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, ph.p_filesz, ELF_T_BYTE);
		if (!data || !is_known(data->d_buf, data->d_size))
			return false;
		memcpy(&count, (const uint8_t *)data->d_buf + 8, sizeof(count));
		ret->table = (const uint8_t *)data->d_buf + HEADER_SIZE;
		ret->n = DH_MIN((size_t)count, (data->d_size - HEADER_SIZE) / 8);
		ret->at = ph.p_vaddr + bias;
		return true;
	}
	return false;
}

static uint64_t entry(const struct header *h, size_t i)
{
	int32_t distance;

	memcpy(&distance, h->table + 8 * i, sizeof(distance));
	return h->at + (uint64_t)(int64_t)distance;
}

/* The last beginning at or before addr. */
static bool beginning(const struct header *h, uint64_t addr, uint64_t *ret)
{
	size_t low = 0, high = h->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (addr >= entry(h, mid))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	*ret = entry(h, low - 1);
	return true;
}

/* The end of the range in which the same rules hold, or 0. */
static uint64_t row_end(Dwarf_CFI *cfi, uint64_t addr)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr end = 0;

	if (dwarf_cfi_addrframe(cfi, addr, &frame) != 0)
		return 0;
	if (dwarf_frame_info(frame, NULL, &end, NULL) < 0)
		end = 0;
	free(frame);
	return end > addr ? end : 0;
}

bool dh_sym_bounds_at(
	struct dh_sym_entry *e, uint64_t addr, uint64_t *ret_start, uint64_t *ret_size)
{
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(e->dwfl, &bias);
	struct header h;
	uint64_t start, at, other, end;

	if (!cfi || !find_header(e, &h) || !beginning(&h, addr, &start))
		return false;
	at = start;
	for (int i = 0; i < MAX_ROWS; i++) {
		end = row_end(cfi, at - bias);
		if (!end)
			break;
		at = end + bias;
		if (!beginning(&h, at, &other) || other != start)
			break;
	}
	if (addr >= at)
		return false; /* behind the end, before the next one */
	*ret_start = start;
	*ret_size = at - start;
	return true;
}
