/* What the page is about.  The index has one small row per finding and is read at once; all that
 * there is to say about a finding is one line of the details, read when somebody opens it.
 * Nothing in here comes to the page but as text: no markup is ever made from a string. */
const data = (() => {
  const index = JSON.parse(document.getElementById("index").textContent);
  /* The order of the columns is html.c's. */
  const rows = index.rows.map(
    ([id, rank, kind, level, score, title, place, origin, suppressed, more], i) => ({
      i, id, rank, kind, level, score, title, place, origin, suppressed,
      text: [id, index.kinds[kind].name, index.levels[level].name, title, place, more]
        .join("\n").toLowerCase(),
    }));
  let lines = null;

  return {
    ...index,
    rows,
    detail(i) {
      lines ??= document.getElementById("details").textContent.trim().split("\n");
      return JSON.parse(lines[i]);
    },
  };
})();

/* Control characters, and those that turn the direction of writing, are made visible: they could
 * make a line read otherwise than it is. */
function plain(text) {
  return text.replace(
    /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (c) => "\\u" + c.codePointAt(0).toString(16).padStart(4, "0"));
}

/* For a command: what is copied is what is seen, and it is one line. */
function oneLine(text) {
  return plain(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/* el("p", {class: "x", onclick: f}, "text", child...): attributes that are null or false are left
 * out, children that are null too. */
function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : plain(String(value)));
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      node.append(child instanceof Node ? child : plain(String(child)));
  return node;
}

function el(tag, attributes, ...children) {
  return build(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function levelClass(name) {
  return "t-" + name;
}

function score(n) {
  return String(Number(n.toFixed(2)));
}

function plural(n, word) {
  return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
}
