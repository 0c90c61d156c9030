"""Figures of the pages that no check may judge: medians and ratios of one run, printed.

    ~/.cache/polymock-web/bin/python Tests/interop/web/bench.py BINARY [--pages FOLDER] [--rounds N] [--seconds N] [CASE ...]

run.sh installs what it needs. What asks for a ratio compares two measurements of the same minute; on a busy machine
the milliseconds say little, and the ratios more.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

import rig

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE / "chat"), str(HERE / "inspect")]

from chat_page import Chat, contains, count  # noqa: E402
from desk import inspector, until, upload  # noqa: E402
from inspect_looks import LINE  # noqa: E402
from talker import Talker  # noqa: E402

# The page's own way of receiving, so that the server's speed does not count.
SOCKETS = """window.sockets = []; const Real = WebSocket;
    window.WebSocket = class extends Real { constructor(...all) { super(...all); sockets.push(this); } };"""
FRAMES = """window.frameOf = (n, text) => ({ id: 'b' + n, sequence: null, timestamp: '2026-01-15T09:30:00.000Z', type: 'EVENT_TYPE_POLY_AGENT_MESSAGE',
        payload: { message_id: 'b' + n, text, attachments: [], response_suggestions: [] } });
    window.hear = (frame) => sockets.at(-1).onmessage({ data: JSON.stringify(frame) });
    window.fill = (from, to) => { for (let at = from; at < to; at += 500) hear({ id: 'f' + at, sequence: null, timestamp: '2026-01-15T09:30:00.000Z', type: 'EVENT_TYPE_EVENT_BATCH',
        payload: { events: Array.from({ length: Math.min(500, to - at) }, (_, i) => frameOf(at + i, `Message **${at + i}** ` + 'with more words '.repeat((at + i) * 7 % 12))) } }); };"""
# What one new message costs: the step, the drawing in its frame, and the layout.
COST = """async ([from, count]) => { const costs = [];
    const frame = () => new Promise(requestAnimationFrame);
    for (let i = 0; i < count; i++) {
        await frame(); await frame();
        let cost = 0; const real = requestAnimationFrame;
        window.requestAnimationFrame = (run) => real((at) => { const start = performance.now(); run(at); document.body.offsetHeight; cost += performance.now() - start; });
        const start = performance.now();
        hear(frameOf(from + i, 'One **more** message'));
        cost += performance.now() - start;
        window.requestAnimationFrame = real;
        await frame(); await frame();
        costs.push(cost);
    }
    return costs; }"""


def line(text, **values):
    print(f"{text}: " + ", ".join(f"{name} {value}" for name, value in values.items()), flush=True)


def ms(values):
    return f"{statistics.median(values):.1f} ms"


def chat(tools, fixture):
    return Chat(tools, fixture, before=lambda page: page.add_init_script(SOCKETS + FRAMES))


def new_message(tools, rounds):
    costs = {}
    for size in (100, 10_000):
        page = chat(tools, "quiet").page
        page.evaluate("size => fill(0, size)", size)
        page.evaluate(COST, [size, 10])
        costs[size] = page.evaluate(COST, [size + 10, rounds * 8])
        line(f"  nodes with {size} messages", all=page.evaluate("document.querySelectorAll('*').length"), articles=page.evaluate("document.querySelectorAll('article').length"))
    few, many = (statistics.median(costs[size]) for size in costs)
    line("a new message", among_100=ms(costs[100]), among_10000=ms(costs[10_000]), ratio=f"{many / few:.2f} (1.2 asked)")


def long_reply(tools, rounds):
    longest, work = [], []
    for _ in range(min(rounds, 3)):
        talk = chat(tools, "stream-long")
        contains(talk.articles.first, "Say anything")
        talk.page.evaluate("window.long = []; new PerformanceObserver(all => long.push(...all.getEntries().map(e => e.duration))).observe({ type: 'longtask' })")
        devtools = talk.page.context.new_cdp_session(talk.page)
        devtools.send("Performance.enable")
        spent = lambda: {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}["TaskDuration"]
        before = spent()
        talk.say("Tell me")
        contains(talk.page.locator("article[data-kind=agent]").nth(1), "The end.")
        work.append((spent() - before) * 1000)
        longest.append(max(talk.page.evaluate("long"), default=0))
    told = statistics.median(longest)
    line("a reply of 200 chunks", longest_task=f"{told:.0f} ms" if told else "under 50 ms", all_tasks=ms(work))


def nodes(tools, rounds):
    talk = chat(tools, "quiet")
    count_all = "document.querySelectorAll('*').length"
    talk.idle()
    fresh = talk.page.evaluate(count_all)
    talk.page.evaluate("fill(0, 1000)")
    full = talk.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(" + count_all + "))))")
    talk.menu("Start new conversation")
    talk.phase("open")
    count(talk.articles, 0)
    talk.idle()
    after = talk.page.evaluate(count_all)
    line("nodes of the chat page", fresh=fresh, with_1000_messages=full, after_a_new_talk=after, ratio=f"{after / fresh:.2f} (1.1 asked)")


PAINT = """() => new Promise(done => {
    const start = performance.now();
    location.hash = '#/log';
    const look = () => document.querySelector('.wire-table tbody th') ? requestAnimationFrame(() => done(performance.now() - start)) : requestAnimationFrame(look);
    look();
})"""


def wire(tools, rounds):
    tools.own_server()
    found = {}
    for size in (100, 10_000):
        tools.server.call("POST", "/_mock/reset", {"log": True})
        upload(tools, LINE * size)
        page = inspector(tools, "#/log")
        until(page, "size => document.querySelector('.wire-table')?.getAttribute('aria-rowcount') === String(size)", size)
        found[size] = []
        for _ in range(rounds):
            page.evaluate("location.hash = '#/sessions'")
            page.wait_for_timeout(300)
            found[size].append(page.evaluate(PAINT))
    few, many = (statistics.median(found[size]) for size in found)
    line("first paint of the wire", rows_100=ms(found[100]), rows_10000=ms(found[10_000]), ratio=f"{many / few:.2f} (1.5 and 200 ms asked)")


LONG = """() => { window.long = [];
    new PerformanceObserver(all => long.push(...all.getEntries().map(e => e.duration))).observe({ type: 'longtask' }); }"""


def conversation(tools, rounds):
    tools.own_server()
    talker = Talker(tools.server, "mock:hello@pace=instant")
    for number in range(4500):
        talker.say(f"number {number}", wait="POLY_AGENT_MESSAGE")
    page = inspector(tools, f"#/sessions/{talker.session}/state")
    page.wait_for_timeout(2000)
    page.evaluate(LONG)
    page.get_by_role("tab", name="Conversation").click()
    contains(page.get_by_role("log", name="Conversation"), "number 4499")
    page.wait_for_timeout(1000)
    opened, size = page.evaluate("long.splice(0)"), page.evaluate("document.querySelectorAll('*').length")
    for number in range(rounds):
        talker.say(f"one more {number}", wait="POLY_AGENT_MESSAGE")
        page.wait_for_timeout(300)
    more = page.evaluate("long")
    line("the conversation of 9,000 messages", longest_task=f"{max(opened, default=0):.0f} ms (200 asked)", elements=size,
         one_more=f"{max(more):.0f} ms" if more else "under 50 ms (50 asked)")


def hour(tools, seconds):
    tools.own_server()
    page = inspector(tools, "#/log")
    page.evaluate(LONG)
    sizes, began, sent = [], time.monotonic(), 0
    for second in range(seconds):
        upload(tools, LINE * 2000)
        sent += 2000
        if second % max(1, seconds // 4) == 0 or second == seconds - 1:
            sizes.append((page.evaluate("document.querySelectorAll('*').length"), page.evaluate("performance.memory.usedJSHeapSize") >> 20))
        page.wait_for_timeout(max(0, 1000 * (second + 1 - (time.monotonic() - began))))
    took = time.monotonic() - began
    long = page.evaluate("long")
    line(f"{sent} rows at {sent / took:.0f} a second", nodes=[each[0] for each in sizes], MB_of_the_heap=[each[1] for each in sizes],
         tasks_over_50_ms=f"{len(long)}, the longest {max(long, default=0):.0f} ms, {sum(long) / took / 10:.0f} % of the time")


def main():
    parser = argparse.ArgumentParser(prog="bench.py")
    parser.add_argument("binary")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--pages", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_intermixed_args()
    flags = ["--pages", str(options.pages.resolve())] if options.pages else []
    with tempfile.TemporaryDirectory() as folder, rig.Rig(options.binary, pathlib.Path(folder), flags) as tools:
        for case in (new_message, long_reply, nodes, wire, conversation, hour):
            if options.cases and case.__name__ not in options.cases:
                continue
            named = rig.Check("bench-" + case.__name__.replace("_", "-"), "", False, case)
            with rig.Tools(tools, named) as own:
                case(own, options.seconds if case is hour else options.rounds)


main()
