/* The list: only the rows that can be seen are in the page, so that its length does not matter. */
const list = (() => {
  const ROW = 66;
  const SPARE = 6;
  const box = document.getElementById("list");
  const space = document.getElementById("space");
  let shown = []; /* rows of the index, filtered and sorted */
  let at = -1; /* the selected one, as a position in shown */
  let onSelect = () => {};
  let onOpen = () => {};

  function rowNode(row, position) {
    const level = data.levels[row.level].name;
    return el("div", {
      class: "row" + (row.suppressed ? " off" : ""),
      role: "option",
      id: "row-" + row.i,
      "aria-selected": position === at ? "true" : "false",
      "aria-setsize": shown.length,
      "aria-posinset": position + 1,
      "data-position": position,
    },
    el("span", {class: "rank"}, "#" + row.rank),
    el("span", {class: "name", title: row.title}, row.title),
    el("span", {class: "badge " + levelClass(level)}, level),
    el("span", {class: "where"},
      el("span", {class: "kind"}, data.kinds[row.kind].name),
      el("span", {class: "mono", title: row.place}, row.place),
      el("span", {class: "num", title: "score"}, score(row.score))));
  }

  function draw() {
    const from = Math.max(0, Math.floor(box.scrollTop / ROW) - SPARE);
    const to = Math.min(shown.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + SPARE);
    const nodes = [];
    for (let i = from; i < to; i++) {
      const node = rowNode(shown[i], i);
      node.style.top = i * ROW + "px";
      nodes.push(node);
    }
    if (!shown.length)
      nodes.push(el("p", {class: "empty"}, data.rows.length
        ? "No finding matches these filters."
        : "No findings: nothing was found, or nothing was looked for yet."));
    space.style.height = shown.length ? shown.length * ROW + "px" : "auto";
    space.replaceChildren(...nodes);
    if (at >= from && at < to)
      box.setAttribute("aria-activedescendant", "row-" + shown[at].i);
    else
      box.removeAttribute("aria-activedescendant");
  }

  function reveal() {
    const top = at * ROW;
    if (top < box.scrollTop)
      box.scrollTop = top;
    else if (top + ROW > box.scrollTop + box.clientHeight)
      box.scrollTop = top + ROW - box.clientHeight;
  }

  function select(position) {
    if (!shown.length)
      return;
    at = Math.max(0, Math.min(shown.length - 1, position));
    reveal();
    draw();
    onSelect(shown[at]);
  }

  const moves = {
    ArrowDown: () => at + 1,
    ArrowUp: () => at - 1,
    j: () => at + 1,
    k: () => at - 1,
    PageDown: () => at + Math.floor(box.clientHeight / ROW),
    PageUp: () => at - Math.floor(box.clientHeight / ROW),
    Home: () => 0,
    End: () => shown.length - 1,
  };

  box.addEventListener("scroll", () => requestAnimationFrame(draw), {passive: true});
  new ResizeObserver(draw).observe(box);
  box.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row)
      return;
    select(Number(row.dataset.position));
    onOpen();
  });
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey)
      return;
    if (moves[event.key]) {
      event.preventDefault();
      select(moves[event.key]());
    } else if (event.key === "Enter" && at >= 0) {
      event.preventDefault();
      onOpen();
    }
  });

  return {
    /* Shows these rows; keeps the selection when it is among them. */
    show(rows) {
      const selected = at >= 0 ? shown[at] : null;
      shown = rows;
      at = selected ? shown.indexOf(selected) : -1;
      if (at < 0)
        box.scrollTop = 0;
      else
        reveal();
      draw();
    },
    /* True when the row is among those shown. */
    selectRow(row) {
      const position = shown.indexOf(row);
      if (position >= 0)
        select(position);
      return position >= 0;
    },
    selectFirst: () => select(0),
    focus: () => box.focus({preventScroll: true}),
    listen(select_, open) {
      onSelect = select_;
      onOpen = open;
    },
  };
})();
