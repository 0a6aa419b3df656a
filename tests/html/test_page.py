#!/usr/bin/env python3
"""test_page.py MAKE_REPORT SOURCES: the HTML report in a real browser, opened from disk and used as
a person would: filter, move, open, read the picture, copy, change the colours.  Any console error
and any request beyond the page itself is a failure."""
import os
import subprocess
import sys
import tempfile
import time

import chromium
from chromium import Failure

SKIP = 77
# What a person can read off the page, as JavaScript expressions.
ROWS = "[...document.querySelectorAll('.row .name')].map(n => n.textContent)"
RANKS = "[...document.querySelectorAll('.row .rank')].map(n => n.textContent)"
COUNT = "document.getElementById('count').textContent"
HEADING = "document.querySelector('#detail h2').textContent"
FOCUS = "document.activeElement.id"
LANES = ("[...document.querySelectorAll('.timeline svg .lane-name')]"
         ".map(n => n.firstChild.textContent)")
LABELS = "[...document.querySelectorAll('.timeline svg .step .label')].map(n => n.textContent)"
TITLES = "[...document.querySelectorAll('.timeline svg .step title')].map(n => n.textContent)"
LINKS = "[...document.querySelectorAll('.timeline svg .link-name')].map(n => n.textContent)"
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"

RACE = "unordered update and read of 'q->count' in queue_pop"
SIGNAL = "handler of SIGALRM grows 'list' while main is growing it"


def expect(got, wanted, what):
    if got != wanted:
        raise Failure(f"{what}: expected {wanted!r}, got {got!r}")


def quiet(page):
    complaints = page.complaints()
    if complaints:
        raise Failure("the page is not quiet:\n  " + "\n  ".join(complaints))


def test_filters_and_opens(page, reports):
    page.open(reports["few"])
    expect(page.run(COUNT), "5 of 6 findings", "the count (one is suppressed)")
    expect(page.run(HEADING), RACE, "the first finding is open")
    page.key("/", "/")
    expect(page.run(FOCUS), "search", "the slash goes to the search")
    page.type("sigalrm alarm.c")
    expect(page.run(COUNT), "1 of 6 findings", "the count while searching")
    expect(page.run(ROWS), [SIGNAL], "the rows while searching")
    page.key("ArrowDown")
    expect(page.run(FOCUS), "list", "arrow down goes to the list")
    page.key("Enter")
    expect(page.run(FOCUS), "detail", "enter goes to the finding")
    expect(page.run(HEADING), SIGNAL, "the finding that is open")
    page.key("Escape")
    expect(page.run(FOCUS), "list", "escape goes back to the list")
    page.run("document.getElementById('clear').click()")
    expect(page.run(COUNT), "5 of 6 findings", "the count after clearing")
    page.run("document.querySelector('[data-level=predicted]').click()")
    expect(page.run(RANKS), ["#4", "#5"], "the predicted ones")
    page.run("document.getElementById('clear').click()")
    choose = "k => { k.value = [...k.options].find(o => o.text == 'Deadlock').value;" \
        " k.dispatchEvent(new Event('input')) }"
    page.run(f"({choose})(document.getElementById('kind'))")
    expect(page.run(RANKS), ["#4"], "the deadlocks")
    page.run("document.getElementById('clear').click()")
    page.run("document.getElementById('suppressed').click()")
    expect(page.run(COUNT), "6 findings", "the count with suppressed ones")
    quiet(page)


def test_keyboard_moves(page, reports):
    page.open(reports["few"])
    page.run("document.getElementById('list').focus()")
    for key, rank in (("ArrowDown", 2), ("j", 4), ("End", 6), ("k", 5), ("Home", 1)):
        page.key(key, key if len(key) == 1 else "")
        selected = page.run("document.querySelector('[aria-selected=true] .rank').textContent")
        expect(selected, f"#{rank}", f"the selection after {key}")
        active = page.run("document.getElementById(document.getElementById('list')"
                          ".getAttribute('aria-activedescendant')).querySelector('.rank')"
                          ".textContent")
        expect(active, selected, "the active descendant")
    quiet(page)


def test_sorts(page, reports):
    page.open(reports["few"])
    click = "document.querySelector('[data-sort=%s]').click()"
    page.run(click % "score")
    expect(page.run(RANKS), ["#1", "#2", "#4", "#6", "#5"], "by score")
    page.run(click % "score")
    expect(page.run(RANKS), ["#5", "#6", "#4", "#2", "#1"], "by score, turned around")
    page.run(click % "title")
    rows = page.run(ROWS)
    expect(rows, sorted(rows), "by title")
    quiet(page)


def test_picture(page, reports):
    page.open(reports["one"])
    expect(page.run(LANES), ["main", "thread 2 (worker)", "thread 1 (worker)"], "the lanes")
    expect(page.run(LABELS), [
        "create thread 1", "create thread 2", "read 8 q->count", "read 8 q->count",
        "lock q->lock", "wait for q->lock", "update 8 q->count", "unlock q->lock", "lock q->lock",
        "assertion failed"], "the labels")
    expect(page.run(TITLES)[5], "6. thread 2 (worker): wait for q->lock at queue.c:16", "a title")
    expect(page.run(LINKS), ["RACE"], "the racing pair is joined")
    expect(page.run("[...document.querySelectorAll('.step.racing')].map(n => n.dataset.step)"),
           ["3", "7"], "the racing steps")
    expect(page.run("document.querySelectorAll('.timeline svg .path.fails').length > 0"), True,
           "the failing order is drawn")
    expect(page.run("document.querySelectorAll('.timeline > .picture:first-child .held').length"), 2,
           "the times that the lock is held")
    ends = page.run("""(() => {
        const centre = n => { const r = n.getBoundingClientRect(); return [r.x + r.width / 2,
            r.y + r.height / 2] };
        const link = document.querySelector('.timeline svg .link');
        const at = t => { const p = link.getPointAtLength(t * link.getTotalLength());
            const m = link.getScreenCTM(); return [p.x + m.e, p.y + m.f] };
        const near = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) < 3;
        const marks = [...document.querySelectorAll('.step.racing g')].map(centre);
        return near(marks[0], at(0)) && near(marks[1], at(1)) })()""")
    expect(ends, True, "the link ends at the racing marks")
    page.open(reports["few"])
    page.run("[...document.querySelectorAll('.row')].find(r => /both orders/.test(r.textContent))"
             ".click()")
    expect(page.run(LINKS), ["WANTS", "WANTS"], "the circle of the deadlock")
    quiet(page)


def test_picture_without_steps(page, reports):
    """A finding that was never seen to happen: its sides are drawn, but no order is claimed."""
    page.open(reports["30"])
    heading = "document.querySelector('#detail h3').textContent"
    page.run("document.getElementById('list').focus()")
    for _ in range(29):
        if "no order was recorded" in page.run(heading):
            break
        page.key("ArrowDown")
    expect(page.run(heading), "What each side does (no order was recorded)", "the heading")
    expect(len(page.run(LANES)), 2, "the number of lanes")
    expect(page.run(LINKS), ["RACE"], "the sides are joined")
    expect(page.run("document.querySelectorAll('.timeline svg .path').length"), 0, "no order")
    quiet(page)


def test_source_and_stacks(page, reports):
    page.open(reports["one"])
    lines = page.run("[...document.querySelectorAll('.src .here')].map(n => n.textContent)")
    expect(lines, ["18\tint item = q->items[--q->count];", "14\tif (q->count == 0)"],
           "the lines of the accesses")
    marks = page.run("[...document.querySelectorAll('.src mark')].map(n => n.textContent)")
    expect(marks, ["q->count", "q->count"], "what is marked in them")
    frames = page.run("[...document.querySelectorAll('.stack li')].map(n => n.textContent)")
    expect(frames[0], "#0 queue_pop queue.c:18 (/srv/app/queue+0x11f4)", "the first frame")
    page.run("document.querySelectorAll('details').forEach(d => { d.open = true })")
    text = page.run("document.getElementById('detail').innerText")
    for wanted in ("value changed", "1 -> 0", "Created at", "only object in its critical section",
                   "97 of 100 tries", "exit status 134", "heap block of 64 bytes",
                   "runs between the other thread"):
        expect(wanted in text, True, f"{wanted!r} can be read")
    quiet(page)


def test_copies(page, reports):
    page.browser.call("Browser.grantPermissions",
                      permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.open(reports["one"])
    page.run("document.querySelector('.command .copy').click()")
    page.run(SETTLED)
    expect(page.run("navigator.clipboard.readText()"),
           "deadheat fuzz --replay 1f3a --seed 42 -- ./queue", "the clipboard")
    expect(page.run("document.querySelector('.command .copy').textContent"), "Copied", "the button")
    quiet(page)


def test_hostile_strings_are_text(page, reports):
    page.open(reports["few"])
    page.run("document.getElementById('suppressed').click()")
    page.run("[...document.querySelectorAll('.row')].find(r => /script/.test(r.textContent))"
             ".click()")
    page.run(SETTLED)
    expect(page.run("document.images.length"), 0, "no image came out of a string")
    expect(page.run("document.scripts.length"), 3, "no script came out of a string")
    expect(page.run("document.title == 'owned'"), False, "no handler ran")
    heading = page.run(HEADING)
    expect("</script><img src=x onerror=" in heading, True, "the string can be read as it is")
    expect("\u202e" in page.run("document.body.innerText"), False, "nothing turns the writing")
    quiet(page)


def test_colours(page, reports):
    page.colours("light")
    page.open(reports["one"])
    light = page.run(BACKGROUND)
    page.colours("dark")
    dark = page.run(BACKGROUND)
    expect(light != dark, True, "dark differs from light")
    toggle = "document.getElementById('theme').click()"
    page.run(toggle)
    expect(page.run(BACKGROUND), light, "light by the button, on a dark desktop")
    page.colours("light")
    page.run(toggle)
    expect(page.run(BACKGROUND), dark, "dark by the button, on a light desktop")
    page.run(toggle)
    expect(page.run(BACKGROUND), light, "and back to the desktop's")
    quiet(page)


def test_address_opens_a_finding(page, reports):
    page.open(reports["few"])
    page.run("document.querySelectorAll('.row')[1].click()")
    address = page.run("location.hash")
    page.open(reports["one"])
    page.open(reports["few"], address)
    expect(page.run(HEADING), SIGNAL, "the finding that the address names")
    quiet(page)


def test_nothing_found(page, reports):
    page.open(reports["0"])
    expect(page.run(COUNT), "0 findings", "the count")
    expect("No findings" in page.run("document.getElementById('list').innerText"), True, "words")
    quiet(page)


def test_ten_thousand(page, reports):
    start = time.monotonic()
    page.open(reports["10000"])
    loaded = time.monotonic() - start
    expect(page.run(COUNT), "10,000 findings", "the count")
    expect(page.run("document.querySelectorAll('.row').length < 60"), True, "few rows are drawn")
    took = page.run("""(async () => {
        const search = document.getElementById('search'), times = [];
        for (const text of ['s', 'se', 'sess', 'session.c', 'session.c tail', '']) {
            const start = performance.now();
            search.value = text;
            search.dispatchEvent(new Event('input'));
            document.getElementById('list').offsetHeight;
            times.push(performance.now() - start);
        }
        const start = performance.now();
        document.querySelector('[data-sort=title]').click();
        document.getElementById('list').offsetHeight;
        return {filter: Math.max(...times), sort: performance.now() - start};
    })()""")
    page.run("document.querySelector('[data-sort=rank]').click()")
    page.run("document.getElementById('list').scrollTop = 1e9")
    page.run(SETTLED)
    expect(page.run(RANKS)[-1], "#10000", "the last row after scrolling to the end")
    opened = page.run("""(() => {
        const start = performance.now();
        [...document.querySelectorAll('.row')].at(-1).click();
        document.getElementById('detail').offsetHeight;
        return performance.now() - start;
    })()""")
    expect(page.run("document.querySelector('#detail .head .muted').textContent")
           .startswith("rank 10000,"), True, "the last finding is open")
    print(f"10,000 findings: loaded in {loaded * 1000:.0f} ms, filtered in at most "
          f"{took['filter']:.0f} ms, sorted in {took['sort']:.0f} ms, last one opened in "
          f"{opened:.0f} ms, {os.path.getsize(reports['10000']) / 1e6:.1f} MB")
    quiet(page)


def test_the_test_would_notice(page, reports):
    """A page that complains and calls out: both must be seen."""
    path = os.path.join(os.path.dirname(reports["one"]), "noisy.html")
    with open(path, "w", encoding="utf-8") as f:
        f.write("<script>console.error('x'); setTimeout(() => nothing(), 0);"
                "fetch('http://127.0.0.1:9/').catch(() => 0)</script>")
    page.open(path)
    page.run("new Promise(done => setTimeout(done, 100))")
    found = " ".join(page.complaints())
    for wanted in ("console: ", "exception: ", "request: http://127.0.0.1:9/"):
        expect(wanted in found, True, f"{wanted!r} is noticed")


def main(make_report, sources):
    if not chromium.find():
        print("skipped: no Chromium (Debian: chromium)")
        return SKIP
    failed = 0
    with tempfile.TemporaryDirectory() as folder, chromium.Browser() as browser:
        reports = {}
        for name in ("0", "one", "few", "30", "10000"):
            reports[name] = os.path.join(folder, name + ".html")
            subprocess.run([make_report, "html", name, sources, reports[name]], check=True)
        page = browser.page()
        for name, test in globals().items():
            if not name.startswith("test_"):
                continue
            try:
                test(page, reports)
                print("ok", name)
            except Failure as e:
                print("FAILED", name + ":", e)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
