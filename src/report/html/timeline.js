/* The picture of a finding: time runs down, one lane for each thread, process or handler.  The
 * racing sides are joined; when an order fails, its way through the lanes is drawn. */
const timeline = (() => {
  const GUTTER = 40;
  const HEAD = 54;
  const STEP = 44;
  const CHAR = 7.1; /* a usual character's width, and a bold one's */
  const BOLD = 7.9;
  const MOST = 400; /* steps; more than that says nothing as a picture */

  /* Without recorded steps: what each side does, by itself. */
  function stepsOf(finding) {
    if (finding.steps.length)
      return finding.steps.slice(0, MOST);
    return finding.sites.flatMap((site, i) => {
      const lane = site.who ?? site.role ?? `site ${i + 1}`;
      const size = site.size ? ` ${site.size}` : "";
      const what = [site.access ? site.access + size : site.role, finding.variable];
      const label = what.filter(Boolean).join(" ") || "site";
      return [
        ...site.locks.map((l) => ({lane, kind: "lock", label: "lock " + l, implied: true})),
        {lane, kind: "access", label, file: site.file, line: site.line, site: i},
      ];
    });
  }

  function lanesOf(steps, room) {
    const lanes = new Map();
    for (const step of steps) {
      const name = step.lane ?? "?";
      const lane = lanes.get(name) ?? {name, longest: name.length + 4, steps: []};
      lane.longest = Math.max(lane.longest, (step.label ?? step.kind).length + 5,
        place(step).length + 5);
      lane.steps.push(step);
      lanes.set(name, lane);
    }
    const all = [...lanes.values()];
    for (const lane of all)
      lane.width = Math.min(400, Math.max(190, lane.longest * BOLD + 20));
    const spare = room - GUTTER - all.reduce((sum, lane) => sum + lane.width, 0);
    let x = GUTTER;
    for (const lane of all) {
      lane.left = x;
      lane.width += Math.max(0, Math.min(150, Math.floor(spare / all.length)));
      lane.x = x + 22;
      x += lane.width;
    }
    return lanes;
  }

  function isRead(step, site) {
    return (site?.access ?? step.label ?? "").startsWith("read");
  }

  function place(step) {
    return step.file ? step.file + (step.line ? ":" + step.line : "") : "";
  }

  function clip(text, width, char = CHAR) {
    const room = Math.floor(width / char);
    return text.length > room ? text.slice(0, room - 1) + "…" : text;
  }

  /* What a mark looks like, drawn around 0,0. */
  const marks = {
    access: (step, site) => isRead(step, site)
      ? [svg("circle", {class: "m m-access", r: 6})]
      : [svg("circle", {class: "m m-access m-full", r: 6})],
    lock: () => [
      svg("path", {class: "m m-lock", d: "M-3.5 -1v-3a3.5 3.5 0 0 1 7 0v3"}),
      svg("rect", {class: "m m-lock", x: -6, y: -1, width: 12, height: 8, rx: 2}),
    ],
    unlock: () => [
      svg("path", {class: "m m-lock", d: "M-3.5 -1v-4a3.5 3.5 0 0 1 6.6 -1.6"}),
      svg("rect", {class: "m m-lock", x: -6, y: -1, width: 12, height: 8, rx: 2}),
    ],
    wait: () => [svg("path", {class: "m m-wait", d: "M-5 -6h10L-5 6h10z"})],
    wake: () => [svg("path", {class: "m m-wait", d: "M-5 6V-6L6 0z"})],
    signal: () => [svg("path", {class: "m m-signal", d: "M1 -8L-5 1h4L-1 8L5 -2H1z"})],
    syscall: () => [svg("path", {class: "m m-syscall", d: "M0 -7L7 0L0 7L-7 0z"})],
    create: () => [
      svg("circle", {class: "m", r: 6}), svg("path", {class: "m", d: "M-3 0h6M0 -3v6"})],
    exit: () => [svg("rect", {class: "m", x: -5, y: -5, width: 10, height: 10, rx: 1})],
    failure: () => [
      svg("path", {class: "m m-failure", d: "M-3.5 -8h7l4.5 4.5v7L3.5 8h-7L-8 3.5v-7z"}),
      svg("path", {class: "m-cross", d: "M-3 -3L3 3M3 -3L-3 3"}),
    ],
  };
  const words = {
    access: "access", lock: "lock taken", unlock: "lock released", wait: "waits", wake: "woken",
    signal: "signal", syscall: "system call", create: "creates", exit: "ends", failure: "fails",
  };

  function drawLane(lane, bottom) {
    const width = lane.width - 16;
    return [
      svg("line", {class: "lane-line", x1: lane.x, y1: HEAD - 14, x2: lane.x, y2: bottom}),
      svg("rect", {class: "lane-head", x: lane.left + 4, y: 8, width, height: 26, rx: 8}),
      svg("text", {class: "lane-name", x: lane.left + 14, y: 25.5},
        clip(lane.name, width - 16, BOLD), svg("title", null, lane.name)),
    ];
  }

  /* From each lock to its release, or to the end of the lane; nested ones are wider. */
  function drawHeld(lane, bottom) {
    const open = [];
    const bands = [];
    const close = (held, y) => bands.unshift(svg("rect", {
      class: "held", x: lane.x - held.half, y: held.y,
      width: 2 * held.half, height: y - held.y, rx: 5,
    }, svg("title", null, "held: " + held.name)));
    const name = (step) => (step.label ?? "").replace(/^\s*(un)?lock\s+/i, "");
    for (const step of lane.steps) {
      if (step.kind === "lock" && !step.implied) {
        open.push({name: name(step), y: step.y, half: 9 + 4 * Math.max(0, 2 - open.length)});
      } else if (step.kind === "unlock") {
        let i = open.findLastIndex((held) => held.name === name(step));
        i = i < 0 ? open.length - 1 : i;
        if (i >= 0)
          close(open.splice(i, 1)[0], step.y);
      }
    }
    for (const held of open)
      close(held, bottom - 6);
    return bands;
  }

  function drawWaits(lane) {
    return lane.steps.map((step, i) => step.kind !== "wait" ? null : svg("line", {
      class: "wait-line", x1: lane.x, y1: step.y,
      x2: lane.x, y2: lane.steps[i + 1]?.y ?? step.y + STEP * 0.7,
    }));
  }

  /* Down the lane, then over to the next one in the gap above its row. */
  function way(from, to) {
    const gap = to.y - STEP / 2;
    const side = Math.sign(to.x - from.x) * 8;
    if (from.x === to.x)
      return `M${from.x} ${from.y}V${to.y}`;
    return `M${from.x} ${from.y}V${gap - 8}q0 8 ${side} 8` +
      `H${to.x - side}q${side} 0 ${side} 8V${to.y}`;
  }

  function arrow(from, to) {
    const side = Math.sign(to.x - from.x) * 5;
    if (!side)
      return null;
    const x = to.x - side * 5;
    const y = to.y - STEP / 2;
    const d = `M${x + side} ${y}L${x - side} ${y - 5}V${y + 5}z`;
    return svg("path", {class: "path-arrow", d});
  }

  function drawOrder(steps, fails) {
    const racing = steps.findIndex((s) => isSite(s));
    const last = fails ? Math.max(steps.findLastIndex((s) => s.kind === "failure"),
      steps.findLastIndex((s) => isSite(s))) : -1;
    return steps.slice(1).map((step, i) => {
      const red = fails && racing >= 0 && i >= racing && i + 1 <= last;
      return [
        svg("path", {class: red ? "path fails" : "path", d: way(steps[i], step)}),
        red ? arrow(steps[i], step) : null,
      ];
    });
  }

  function isSite(step) {
    return step.site !== null && step.site !== undefined;
  }

  /* A deadlock is a circle: who wants, from whom it is held.  Otherwise side joins side. */
  function pairsOf(finding, steps) {
    const bySite = finding.sites.map((_, i) => steps.find((s) => s.site === i));
    const pairs = [];
    const n = bySite.length;
    if (finding.kind === "deadlock") {
      finding.sites.forEach((site, i) => {
        if (site.role === "wants")
          pairs.push([bySite[i], bySite[(i + 1) % n]]);
      });
    } else {
      for (let i = 1; i < n; i++)
        pairs.push([bySite[i - 1], bySite[i]]);
    }
    return pairs.filter(([a, b]) => a && b && a !== b);
  }

  function cubic(p, t) {
    const u = 1 - t;
    return u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3];
  }

  /* Leaves and arrives along the lanes, so that it crosses few labels; the tag stands in the gap
   * between two rows, where there is no label at all. */
  function drawLink(pair, name, part) {
    const [a, b] = pair[0].y <= pair[1].y ? pair : [pair[1], pair[0]];
    const bow = a.x === b.x ? -36 : 0;
    const middle = (a.y + b.y) / 2;
    const xs = [a.x, a.x + bow, b.x + bow, b.x];
    const ys = bow ? [a.y, a.y, b.y, b.y] : [a.y, middle, middle, b.y];
    const d = `M${xs[0]} ${ys[0]}C${xs[1]} ${ys[1]} ${xs[2]} ${ys[2]} ${xs[3]} ${ys[3]}`;
    const wish = a.y + (b.y - a.y) * part;
    const row = Math.min(Math.max(Math.round((wish - HEAD) / STEP), (a.y - HEAD) / STEP + 0.5),
      (b.y - HEAD) / STEP - 0.5);
    const cy = HEAD + STEP * row;
    let [low, high] = [0, 1];
    for (let i = 0; i < 20; i++) {
      const t = (low + high) / 2;
      if (cubic(ys, t) < cy)
        low = t;
      else
        high = t;
    }
    const cx = cubic(xs, low);
    const width = name.length * 7.6 + 12;
    return {
      line: svg("path", {class: "link", d}),
      tag: svg("g", {class: "link-mark"},
        svg("rect", {class: "link-tag", x: cx - width / 2, y: cy - 8, width, height: 16, rx: 8}),
        svg("text", {class: "link-name", x: cx, y: cy + 3.8}, name)),
    };
  }

  function drawStep(step, i, lane, site) {
    const classes = ["step", isSite(step) && "racing", step.kind === "failure" && "failed"];
    const label = step.label ?? step.kind;
    const at = place(step);
    const room = lane.width - 52;
    const draw = marks[step.kind] ?? marks.exit;
    return svg("g", {class: classes.filter(Boolean).join(" "), "data-step": i + 1},
      svg("title", null, `${i + 1}. ${step.lane ?? "?"}: ${label}${at ? " at " + at : ""}`),
      svg("text", {class: "num", x: GUTTER - 12, y: step.y + 4}, String(i + 1)),
      svg("g", {transform: `translate(${lane.x} ${step.y})`}, draw(step, site)),
      svg("text", {class: "label", x: lane.x + 20, y: step.y + (at ? -1 : 4.5)},
        clip(label, room, isSite(step) ? BOLD : CHAR)),
      at ? svg("text", {class: "small", x: lane.x + 20, y: step.y + 13.5}, clip(at, room)) : null);
  }

  function drawStripe(step, width) {
    if (!isSite(step) && step.kind !== "failure")
      return null;
    return svg("rect", {
      class: step.kind === "failure" ? "stripe bad" : "stripe",
      x: 0, y: step.y - STEP / 2 + 2, width, height: STEP - 4, rx: 6,
    });
  }

  function legend(steps, finding) {
    const kinds = [...new Set(steps.map((s) => s.kind))];
    const items = kinds.flatMap((kind) => {
      const icon = (site) => svg("svg", {width: 18, height: 18, viewBox: "-9 -9 18 18"},
        (marks[kind] ?? marks.exit)({}, site));
      if (kind !== "access")
        return [el("span", null, icon(), words[kind] ?? kind)];
      const reads = steps.filter((s) => s.kind === kind)
        .map((s) => isRead(s, finding.sites[s.site]));
      return [
        reads.includes(true) ? el("span", null, icon({access: "read"}), "read") : null,
        reads.includes(false) ? el("span", null, icon(), "write") : null,
      ];
    });
    if (steps.some((s) => s.kind === "lock" && !s.implied))
      items.push(el("span", null, svg("svg", {width: 14, height: 18},
        svg("rect", {class: "held", x: 1, y: 1, width: 12, height: 16, rx: 5})), "lock held"));
    if (finding.failure)
      items.push(el("span", null, svg("svg", {width: 22, height: 18},
        svg("path", {class: "path fails", d: "M1 9H21"})), "the order that fails"));
    return el("div", {class: "legend picture"}, items);
  }

  /* The same in words, for those who cannot see the picture. */
  function inWords(steps) {
    return el("ol", {class: "hidden-text"}, steps.map((s) =>
      el("li", null, `${s.lane ?? "?"}: ${s.label ?? s.kind} ${place(s)}`)));
  }

  function draw(finding, room) {
    const steps = stepsOf(finding).map((s) => ({...s}));
    if (!steps.length)
      return null;
    const lanes = lanesOf(steps, room);
    const last = [...lanes.values()].at(-1);
    const width = last.left + last.width + 4;
    const bottom = HEAD + steps.length * STEP + 4;
    steps.forEach((step, i) => {
      step.x = lanes.get(step.lane ?? "?").x;
      step.y = HEAD + STEP * (i + 0.5);
    });
    const known = finding.steps.length > 0;
    const name = finding.kind === "deadlock" ? "WANTS" : "RACE";
    const links = pairsOf(finding, steps).map(
      (pair, i, pairs) => drawLink(pair, name, (i + 1) / (pairs.length + 1)));
    const all = [...lanes.values()];
    const about = `Timeline with ${plural(all.length, "lane")} and ${plural(steps.length, "step")}`;
    const image = svg("svg", {
      role: "img", "aria-label": about, width, height: bottom + 6,
      viewBox: `0 0 ${width} ${bottom + 6}`,
    },
    steps.map((s) => drawStripe(s, width)),
    all.map((l) => drawLane(l, bottom)),
    all.map((l) => drawHeld(l, bottom)),
    known ? drawOrder(steps, Boolean(finding.failure)) : null,
    all.map(drawWaits),
    links.map((l) => l.line),
    steps.map((s, i) => drawStep(s, i, lanes.get(s.lane ?? "?"), finding.sites[s.site])),
    links.map((l) => l.tag));
    const left = finding.steps.length - steps.length;
    return {
      heading: !known ? "What each side does (no order was recorded)"
        : finding.failure ? "The order that fails" : "What happens",
      node: el("div", {class: "card timeline"}, el("div", {class: "picture", tabindex: "0",
        role: "group", "aria-label": "Timeline"}, image), inWords(steps), legend(steps, finding),
      left > 0 ? el("p", {class: "note"}, `${plural(left, "more step")} not drawn`) : null),
    };
  }

  return {draw};
})();
