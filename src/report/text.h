/* The parts of the text format: text.c has the list, text_show.c the full account. */
#pragma once
#include "report/internal.h"
#include "report/layout.h"

enum dh_style dh_text_level_style(enum dh_level level);
/* All there is to say about findings[i]. */
void dh_text_show(const struct dh_report *r, size_t i, struct dh_layout *l);
/* One side, at the width of l: what it does, its locks, its source, its stacks. */
void dh_text_site(const struct dh_report *r, const struct dh_finding *f, const struct dh_site *s,
	struct dh_layout *l);
/* The first two sites next to each other: what, source and stacks each begin on one line. */
void dh_text_pair(const struct dh_report *r, const struct dh_finding *f, struct dh_layout *l);
void dh_text_stack(const struct dh_report *r, const char *heading, const struct dh_stack *s,
	struct dh_layout *l);
/* The steps of the timeline: lanes as columns when they fit, else one below the other. */
void dh_text_steps(const struct dh_report *r, const struct dh_finding *f, struct dh_layout *l);
