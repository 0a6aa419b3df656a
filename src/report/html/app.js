/* Filters, sorting, the address, the keyboard, light and dark. */
(() => {
  const $ = (id) => document.getElementById(id);
  const search = $("search");
  const kind = $("kind");
  const origin = $("origin");
  const suppressed = $("suppressed");
  const levels = new Set(); /* empty: all */
  let sort = {by: "rank", down: false};
  let current = null;

  const orders = {
    rank: (a, b) => a.rank - b.rank,
    level: (a, b) => a.level - b.level,
    title: (a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0),
    place: (a, b) => (a.place < b.place ? -1 : a.place > b.place ? 1 : 0),
    score: (a, b) => b.score - a.score,
  };

  function refresh() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const order = orders[sort.by];
    const sign = sort.down ? -1 : 1;
    const rows = data.rows.filter((r) =>
      (!levels.size || levels.has(r.level)) &&
      (kind.value === "" || r.kind === Number(kind.value)) &&
      (origin.value === "" || r.origin.includes(Number(origin.value))) &&
      (suppressed.checked || !r.suppressed) &&
      wanted.every((w) => r.text.includes(w)));
    rows.sort((a, b) => sign * order(a, b) || a.rank - b.rank);
    $("count").textContent = rows.length === data.rows.length
      ? plural(rows.length, "finding")
      : `${rows.length.toLocaleString("en")} of ${plural(data.rows.length, "finding")}`;
    list.show(rows);
  }

  function drawSorts() {
    for (const button of document.querySelectorAll("[data-sort]")) {
      const on = button.dataset.sort === sort.by;
      const name = button.dataset.name ??= button.textContent;
      button.setAttribute("aria-pressed", on);
      button.textContent = on ? `${name} ${sort.down ? "↑" : "↓"}` : name;
    }
  }

  function open(row) {
    if (current === row)
      return;
    current = row;
    detail.show(row.i, back);
    document.title = `${oneLine(row.title)} · Deadheat`;
    history.replaceState(null, "", "#" + encodeURIComponent(row.id));
  }

  function back() {
    document.body.classList.remove("open");
    list.focus();
  }

  function enter() {
    document.body.classList.add("open");
    detail.focus();
  }

  /* The address names a finding: open it, whatever the filters are. */
  function openFromAddress() {
    let id = "";
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch {
      return false;
    }
    const row = data.rows.find((r) => r.id === id);
    if (!row)
      return false;
    if (!list.selectRow(row)) {
      reset(row.suppressed);
      list.selectRow(row);
    }
    document.body.classList.add("open");
    return true;
  }

  function reset(withSuppressed) {
    search.value = kind.value = origin.value = "";
    suppressed.checked = withSuppressed;
    levels.clear();
    drawLevels();
    refresh();
  }

  function drawLevels() {
    const counts = data.levels.map(() => 0);
    for (const row of data.rows)
      counts[row.level] += suppressed.checked || !row.suppressed;
    $("levels").replaceChildren(...data.levels.flatMap((level, i) => counts[i] === 0 ? [] : [
      el("button", {
        class: "chip " + levelClass(level.name), type: "button", title: level.about,
        "aria-pressed": levels.has(i) ? "true" : "false", "data-level": level.name,
        onclick() {
          if (!levels.delete(i))
            levels.add(i);
          drawLevels();
          refresh();
          document.querySelector(`[data-level="${level.name}"]`).focus();
        },
      }, level.name, el("b", null, counts[i].toLocaleString("en"))),
    ]));
  }

  function drawChoices() {
    const used = new Set(data.rows.map((r) => r.kind));
    kind.append(el("option", {value: ""}, "every kind"),
      ...data.kinds.flatMap((k, i) => used.has(i) ? [el("option", {value: i}, k.title)] : []));
    origin.append(el("option", {value: ""}, "found by any"),
      ...data.origins.map((o, i) => el("option", {value: i}, "found by " + o)));
  }

  function drawTop() {
    const when = data.generated ? ` · ${data.generated.slice(0, 16).replace("T", " ")} UTC` : "";
    $("about").textContent = plural(data.rows.length, "finding") + when;
    $("about").title = "made by deadheat " + data.version;
    const gaps = data.skipped.map((s) => "skipped: " + s);
    if (data.lost_events)
      gaps.unshift(plural(data.lost_events, "event") + " lost");
    $("gaps").hidden = !gaps.length;
    $("gaps").replaceChildren(...gaps.map((g) => el("div", null, g)));
  }

  /* Local files may be denied storage: the choice then lasts as long as the page. */
  const theme = {
    names: ["auto", "light", "dark"],
    get() {
      try {
        return localStorage.getItem("deadheat-theme") ?? "auto";
      } catch {
        return "auto";
      }
    },
    set(name) {
      try {
        localStorage.setItem("deadheat-theme", name);
      } catch { /* see above */ }
      this.apply(name);
    },
    apply(name) {
      const known = this.names.includes(name) ? name : "auto";
      document.documentElement.dataset.theme = known;
      $("theme").textContent = {auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark"}[known];
      $("theme").setAttribute("aria-label", `Colours: ${known}. Change`);
    },
    next() {
      const now = document.documentElement.dataset.theme;
      this.set(this.names[(this.names.indexOf(now) + 1) % this.names.length]);
    },
  };

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey)
      return;
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "Escape") {
      if (event.target === search && search.value) {
        search.value = "";
        refresh();
      } else {
        back();
      }
    } else if ((event.key === "ArrowDown" || event.key === "Enter") && event.target === search) {
      event.preventDefault();
      list.focus();
      if (!current || !list.selectRow(current))
        list.selectFirst();
    }
  }

  theme.apply(theme.get());
  /* What is suppressed is out of sight, unless there is nothing else. */
  suppressed.checked = data.rows.length > 0 && data.rows.every((r) => r.suppressed);
  drawTop();
  drawChoices();
  drawLevels();
  drawSorts();
  detail.empty();
  list.listen(open, enter);
  refresh();

  $("theme").addEventListener("click", () => theme.next());
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("filters").addEventListener("reset", (event) => {
    event.preventDefault();
    reset(false);
  });
  suppressed.addEventListener("input", drawLevels);
  for (const field of [search, kind, origin, suppressed])
    field.addEventListener("input", refresh);
  document.querySelector(".sorts").addEventListener("click", (event) => {
    const by = event.target.closest("[data-sort]")?.dataset.sort;
    if (!by)
      return;
    sort = {by, down: sort.by === by && !sort.down};
    drawSorts();
    refresh();
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", openFromAddress);
  if (!openFromAddress() && matchMedia("(min-width: 901px)").matches)
    list.selectFirst();
})();
