/* Everything about one finding. */
const detail = (() => {
  const box = document.getElementById("detail");

  function section(title, ...children) {
    const shown = children.flat().filter(Boolean);
    return shown.length ? [el("h3", null, title), ...shown] : [];
  }

  async function copy(text, button) {
    let done = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = el("textarea", {class: "hidden-text"});
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand("copy");
      area.remove();
      button.focus();
    }
    const before = button.dataset.name;
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    setTimeout(() => {
      button.textContent = before;
    }, 1500);
  }

  function copyButton(name, text, label) {
    return el("button", {
      class: "quiet copy", type: "button", "data-name": name, "aria-label": label,
      onclick: (event) => copy(text, event.currentTarget),
    }, name);
  }

  function command(text) {
    const line = oneLine(text);
    return el("div", {class: "command"}, el("code", {tabindex: "0"}, line),
      copyButton("Copy", line, "Copy the reproducing command"));
  }

  function place(o) {
    if (!o.file)
      return o.module ? `${o.module}+0x${(o.offset ?? 0).toString(16)}` : "not known";
    return o.file + (o.line ? ":" + o.line : "") + (o.line && o.column ? ":" + o.column : "");
  }

  function frame(f, i) {
    const at = [f.file ? f.file + (f.line ? ":" + f.line : "") : null,
      f.module ? `(${f.module}+0x${(f.offset ?? 0).toString(16)})` : null,
      f.inlined ? "[inlined]" : null];
    return el("li", null, `#${i} `, el("b", null, f.function ?? "<null>"), " ",
      el("span", {class: "at"}, at.filter(Boolean).join(" ")));
  }

  function stack(title, frames, open) {
    if (!frames?.length)
      return null;
    return el("details", {open},
      el("summary", null, `${title} (${plural(frames.length, "frame")})`),
      el("ol", {class: "stack"}, frames.map(frame)));
  }

  const keywords = `auto bool break case catch char class const continue default delete do done
    double else enum esac exec extern fi float for function goto if inline int local long new
    register restrict return short signed sizeof static struct switch template then this throw try
    typedef union unsigned void volatile while`.split(/\s+/).join("|");
  const token = new RegExp([
    /(?<c>\/\/.*|\/\*.*?(?:\*\/|$)|^\s*\*\s.*|(?<=^|\s)#\s.*)/,
    /(?<s>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)/,
    new RegExp(`(?<k>\\b(?:${keywords})\\b|^\\s*#\\s*[a-z]+)`),
    /(?<n>\b(?:0[xX][0-9a-fA-F]+|\d[\d.]*)[uUlLfF]*\b)/,
  ].map((r) => r.source).join("|"), "g");

  /* The line in coloured pieces. */
  function colour(text) {
    const pieces = [];
    let from = 0;
    for (const m of text.matchAll(token)) {
      if (!m[0])
        continue;
      const name = ["c", "s", "k", "n"].find((k) => m.groups[k] !== undefined);
      pieces.push(text.slice(from, m.index), el("span", {class: name}, m[0]));
      from = m.index + m[0].length;
    }
    pieces.push(text.slice(from));
    return pieces;
  }

  function line(text, number, excerpt) {
    const here = number === excerpt.line;
    const inner = !here ? colour(text) : [colour(excerpt.mark[0]),
      el("mark", null, excerpt.mark[1]), colour(excerpt.mark[2])];
    return el("span", {class: here ? "line here" : "line"},
      el("span", {class: "ln"}, String(number)),
      el("span", null, inner));
  }

  function source(excerpt) {
    if (!excerpt)
      return null;
    return [
      excerpt.lines.length ? el("div", {class: "src", tabindex: "0", role: "group",
        "aria-label": "Source"}, el("pre", null,
        excerpt.lines.map((text, i) => line(text, excerpt.first + i, excerpt)))) : null,
      excerpt.note ? el("p", {class: "note"}, excerpt.note) : null,
    ];
  }

  function accessWords(site) {
    if (!site.access)
      return site.role ?? "site";
    const size = site.size ? ` of ${plural(site.size, "byte")}` : "";
    const role = site.role ? site.role + ": " : "";
    return `${role}${site.atomic ? "atomic " : ""}${site.access}${size}`;
  }

  function value(text) {
    const n = BigInt(text);
    return n < 1000000n ? text : "0x" + n.toString(16);
  }

  function locks(site) {
    if (site.locks.length)
      return site.locks.map((l) => el("span", {class: "lock mono"}, l));
    return site.access ? "none" : null;
  }

  function facts(name, pairs) {
    const known = pairs.filter(([, v]) => v !== null && v !== undefined && v !== "");
    return known.length ? el("dl", {class: name},
      known.map(([k, v]) => [el("dt", null, k), el("dd", null, v)])) : null;
  }

  function siteCard(site, excerpt) {
    return el("section", {class: "card site"},
      el("header", null,
        el("div", {class: "what"}, accessWords(site)),
        site.who ? el("div", {class: "who"}, "by " + site.who) : null,
        facts("", [
          ["at", el("span", {class: "mono"}, place(site))],
          ["in", site.function ? el("span", {class: "mono"}, site.function) : null],
          ["locks held", locks(site)],
          ["value changed", site.before !== undefined
            ? el("span", {class: "mono"}, `${value(site.before)} -> ${value(site.after)}`) : null],
          ["order", site.order ? el("span", {class: "order"}, site.order) : null],
        ])),
      el("div", null, source(excerpt)),
      el("div", null, stack("Stack", site.stack, true), stack("Created at", site.created, false)));
  }

  function budget(e) {
    const parts = [];
    if (e.tries !== undefined || e.hits !== undefined)
      parts.push(`${e.hits ?? "?"} of ${plural(e.tries ?? 0, "try").replace("trys", "tries")}`);
    if (e.budget && typeof e.budget === "object")
      for (const [k, v] of Object.entries(e.budget))
        parts.push(`${k} ${typeof v === "object" ? JSON.stringify(v) : v}`);
    else if (e.budget)
      parts.push(String(e.budget));
    return parts.join(", ");
  }

  function rung(e) {
    const when = [e.when, e.last && e.last !== e.when ? "last " + e.last : null].filter(Boolean);
    return el("li", {class: levelClass(e.level)},
      el("b", null, e.level), " by ", el("b", null, e.by ?? "?"),
      when.length ? el("span", {class: "muted"}, " on " + when.join(", ")) : null,
      budget(e) ? ": " + budget(e) : null,
      e.note ? "; " + e.note : null,
      e.reproduce ? el("code", null, e.reproduce) : null);
  }

  function ladder(finding) {
    const reached = new Set(finding.evidence.map((e) => e.level));
    const rungs = ["predicted", "observed", "confirmed", "harmful", "explained"];
    for (const other of ["benign", "refuted"])
      if (reached.has(other))
        rungs.push(other);
    return el("ol", {class: "ladder"}, rungs.map((name) => el("li", {
      class: reached.has(name) ? "reached " + levelClass(name) : null,
      title: data.levels.find((l) => l.name === name).about,
    }, name, el("span", {class: "hidden-text"}, reached.has(name) ? " reached" : " not reached"))));
  }

  function head(finding, kind, onBack) {
    return el("div", {class: "head"},
      el("button", {class: "quiet back", type: "button", onclick: onBack}, "← List"),
      el("span", {class: "badge " + levelClass(finding.level)}, finding.level),
      el("span", {class: "badge plain"}, kind.title),
      el("span", {class: "muted"}, `rank ${finding.rank}, score ${score(finding.score)}`),
      finding.origin.length
        ? el("span", {class: "muted"}, "from " + finding.origin.join(", ")) : null,
      finding.suppressed ? el("span", {class: "badge plain"}, "suppressed") : null,
      el("span", {class: "end"}, el("code", {class: "muted"}, finding.id), " ",
        copyButton("Copy ID", finding.id, "Copy the finding's id")));
  }

  function failure(f) {
    if (!f)
      return null;
    return el("p", {class: "failure"}, el("b", null, f.what),
      f.status ? ` (exit status ${f.status})` : null, f.detail ? ": " : null,
      f.detail ? el("code", null, f.detail) : null);
  }

  function show(i, onBack) {
    const {finding, excerpts} = data.detail(i);
    const kind = data.kinds.find((k) => k.name === finding.kind);
    const level = data.levels.find((l) => l.name === finding.level);
    const picture = timeline.draw(finding, Math.min(box.clientWidth - 56, 1180) - 30);
    const nodes = [
      head(finding, kind, onBack),
      el("h2", null, finding.title ?? kind.title),
      el("p", {class: "lead"}, `${kind.about} This one is ${level.name}: ${level.about}.`),
      failure(finding.failure),
      finding.reproduce ? command(finding.reproduce) : null,
      picture ? section(picture.heading, picture.node) : null,
      section("Object", facts("facts card box", [
        ["variable", finding.variable ? el("code", null, finding.variable) : null],
        ["object", finding.object]])),
      finding.sites.length ? section(finding.sites.length === 2 ? "Both sides" : "Sites",
        el("div", {class: "sites"}, finding.sites.map((s, k) => siteCard(s, excerpts[k])))) : null,
      section("Allocated at", finding.allocated
        ? el("div", {class: "card"}, stack("Stack", finding.allocated, true)) : null),
      section("Evidence", finding.evidence.length ? el("div", {class: "card box"}, ladder(finding),
        el("ol", {class: "rungs"}, finding.evidence.map(rung))) : null),
      el("div", {class: "two"},
        el("div", null, section("Why it ranks here", finding.reasons.length
          ? el("div", {class: "card box"}, el("ul", {class: "plain"},
            finding.reasons.map((r) => el("li", null, r)))) : null)),
        el("div", null, section("What to do", el("div", {class: "card box"}, finding.mend ?? kind.mend)))),
      section("Identity", facts("facts card box", [
        ["fingerprint", el("code", null, finding.fingerprint)],
        ["schedule", finding.schedule ? el("code", null, finding.schedule) : null]])),
    ];
    box.replaceChildren(...nodes.flat(Infinity).filter(Boolean));
    box.scrollTop = 0;
  }

  function empty() {
    box.replaceChildren(el("p", {class: "empty"},
      data.rows.length ? "Choose a finding." : "Nothing to show."));
  }

  return {show, empty, focus: () => box.focus({preventScroll: true}), box};
})();
