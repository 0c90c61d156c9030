"""Measures polymock beside its peers and tells which targets are met. Started by bench.sh, which has the tools.

Every figure is taken from a server that was started for it (growth excepted), rounds alternate the contenders and
change their order, and what is told are medians over the rounds; ratios are medians of each round's ratio.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from cases import all_cases
from contenders import Broken, Contenders
from targets import TARGETS, TO_KEEP, TO_REACH, ratio, samples

NEEDED_DESCRIPTORS = 10_100
# What a change must not make worse, and the figures that say so: of two binaries of ours, beside each other.
GUARDED = {
    "round-trip-64": [("rate", True), ("us_per_message", False), ("user_us", False)],
    "pace-500": [("p99_ms", False), ("us_per_message", False)],
    "idle-10000": [("kb_each", False)],
    "start": [("median_ms", False), ("min_ms", False), ("rss_kb", False), ("private_kb", False)],
}
TOLERANCE = 0.03


class Tools:
    """What a case needs to measure."""

    def __init__(self, options, folder):
        self.loader, self.wsload, self.static = options.load, options.wsload, options.static
        self.is_quick = options.quick
        self.rounds = options.rounds
        self.seconds = 0.5 if options.quick else 0.8
        self.contenders = Contenders(
            options.binary, folder, options.node, options.python, options.nginx, options.lws, options.uws)
        self.beside, self.allocations = options.beside or options.earlier, options.allocations
        self.has_descriptors = raise_descriptors() >= NEEDED_DESCRIPTORS
        self.skipped = {}

    def load(self, *arguments):
        return self.run(self.loader, arguments)

    def run_wsload(self, server, *options):
        got = self.run(self.wsload, ["-P", server.pid, *options, server.port])
        if got.get("errors"):
            raise Broken(f"wsload counted {got['errors']} errors against {server.name}")
        return got

    def run(self, program, arguments):
        command = [program, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=150)
        if done.returncode != 0:
            raise Broken(f"{' '.join(command)[:300]}\n  {done.stderr.strip()[-600:]}")
        return json.loads(done.stdout)

    def measure(self, case, contender):
        """The other binary is measured as ours is."""
        if contender != "beside":
            return case.measure(contender)
        people = self.contenders
        ours, people.binary = people.binary, self.beside
        try:
            return case.measure("ours")
        finally:
            people.binary = ours

    def skip(self, case, reason):
        if case not in self.skipped:
            print(f"  {case} is left out: {reason}", flush=True)
        self.skipped[case] = reason


def raise_descriptors():
    """As far as this user may; 10,000 connections need as many on either side."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (max(hard, 20_000), hard):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(wanted, hard)))
            return wanted
        except (ValueError, OSError):
            continue
    return soft


def main():
    options = parse()
    began = time.monotonic()
    if options.ahead:
        go_ahead()
    with tempfile.TemporaryDirectory(prefix="polymock-bench-") as name:
        tools = Tools(options, pathlib.Path(name))
        cases = [case for case in all_cases(tools) if not options.case or case.name in options.case]
        unknown = set(options.case) - {case.name for case in cases}
        if unknown:
            sys.exit(f"no case is called {', '.join(sorted(unknown))}; there are "
                     + ", ".join(case.name for case in all_cases(tools)))
        if options.beside:
            cases = [case for case in cases if options.case or case.name in GUARDED]
            for case in cases:
                if "ours" not in case.contenders:
                    sys.exit(f"{case.name} has no figure of ours alone to compare with another binary")
                case.contenders, case.rounds = ["ours", "beside"], None
        elif options.earlier:
            for case in cases:
                if case.name in GUARDED and case.rounds is None:
                    case.contenders = [*case.contenders, "beside"]
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.rounds} rounds", flush=True)
        results = {case.name: {} for case in cases}
        broken = []
        try:
            for number in range(options.rounds):
                for case in cases:
                    if number < (case.rounds or options.rounds) and case not in broken:
                        play(tools, case, number, results[case.name], broken)
        finally:
            for case in cases:
                case.close()
    for case in cases:
        tell(case, results[case.name])
    verdicts = []
    if options.beside:
        tell_beside(results)
    else:
        verdicts = [verdict for verdict in (target.judge(results) for target in TARGETS) if verdict]
        tell_targets("To reach", TO_REACH, verdicts, tools.skipped if options.case else {
            **{case.name: "it was not measured" for case in cases}, **tools.skipped})
        tell_targets("To keep", TO_KEEP, verdicts, {})
    print(f"\n{time.monotonic() - began:.0f} s; load {os.getloadavg()[0]:.1f}")
    if options.json:
        report = {
            "cores": os.cpu_count(), "rounds": options.rounds, "quick": options.quick, "results": results,
            "targets": verdicts, "skipped": tools.skipped, "broken": [case.name for case in broken],
        }
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")
    if broken:
        sys.exit(f"FAIL could not measure: {', '.join(case.name for case in broken)}")


def go_ahead():
    """All processes of the run come before the machine's other work; it inherits to servers and clients alike."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -19)
        group = pathlib.Path("/proc/self/autogroup")
        if group.exists():
            # Where sessions are scheduled as groups, priorities count only within one.
            group.write_text("-19")
    except OSError as problem:
        print(f"no higher priority: {problem}", flush=True)


def parse():
    parser = argparse.ArgumentParser()
    for name in ("binary", "load", "node", "python", "nginx"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--wsload", default="")
    parser.add_argument("--lws", default="", help="the echo on libwebsockets")
    parser.add_argument("--uws", default="", help="the echo on uWebSockets, and its library")
    parser.add_argument("--allocations", default="", help="the library that counts allocations")
    parser.add_argument("--static", default="")
    parser.add_argument("--beside", default="")
    parser.add_argument("--earlier", default="", help="the build that user time is to be half of")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--ahead", action="store_true")
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    options.rounds = options.rounds or (2 if options.quick else 5)
    return options


def play(tools, case, number, results, broken):
    """One round of one case: all contenders, each time in another order."""
    line = f"round {number + 1}  {case.name:14}"
    turn = number % len(case.contenders)
    order = case.contenders[turn:] + case.contenders[:turn]
    for contender in order if number % 2 == 0 else reversed(order):
        try:
            got = tools.measure(case, contender)
        except (Broken, RuntimeError, OSError, subprocess.TimeoutExpired, ValueError, KeyError) as problem:
            print(f"FAIL {case.name}, {contender}: {problem}", flush=True)
            broken.append(case)
            return
        if got is None:
            continue
        results.setdefault(contender, []).append(got)
        key, unit, digits = case.shown[0]
        if key.startswith("p50_ms"):
            key, unit, digits = case.shown[1]
        line += f"  {contender} {got[key]:,.{digits}f} {unit};"
    if line.endswith(";"):
        print(line[:-1], flush=True)


def tell(case, results):
    if not results:
        return
    print(f"\n{case.title}")
    print("  " + " ".join(case.__doc__.split()))
    for contender in case.contenders:
        figures = []
        for key, unit, digits in case.shown:
            values = samples(results, contender, key)
            if not values:
                continue
            figures.append(f"{statistics.median(values):>12,.{digits}f} {unit}")
            if len(figures) == 1 and len(values) > 1:
                figures[0] += f" ({min(values):,.{digits}f} to {max(values):,.{digits}f})"
        if figures:
            print(f"  {contender:26}{figures[0]:44}{' '.join(figures[1:])}")
    if case.name != "growth":
        tell_ratios(case, results)


def tell_ratios(case, results):
    """Of the first contender to each other one. Processor time says most where other work disturbs the machine."""
    first = case.contenders[0]
    key = "p99_ms" if case.name.startswith("pace") else case.shown[0][0]
    for peer in case.contenders[1:]:
        value, cost = ratio(first, peer, key)(results), ratio(first, peer, "us_per_message")(results)
        if value is None:
            continue
        text = f"    {first} / {peer}: {value:.2f} ({'more' if key == 'rate' else 'less'} is better)"
        if cost and peer != "nginx":
            text += f"; processor time per message {cost:.2f} (less is better)"
        print(text)


def tell_beside(results):
    """Medians of each round's ratio of ours to the other binary; the range tells how much to believe of them."""
    print(f"\nOurs / beside, wanted within {TOLERANCE:.0%}")
    for name, got in results.items():
        figures = {key for key, value in got.get("ours", [{}])[0].items() if isinstance(value, (int, float))}
        pairs = GUARDED.get(name) or [(key, key == "rate") for key in sorted(figures)]
        for key, is_more_better in pairs:
            each = [a / b for a, b in zip(samples(got, "ours", key), samples(got, "beside", key)) if b]
            if not each:
                continue
            value = statistics.median(each)
            is_met = value >= 1 - TOLERANCE if is_more_better else value <= 1 + TOLERANCE
            print(f"  {'met   ' if is_met else 'MISSED'}  {name:16} {key:16} {value:6.3f}   "
                  f"({min(each):.3f} to {max(each):.3f}, {'more' if is_more_better else 'less'} is better)")


def tell_targets(title, targets, verdicts, unmeasured):
    """A line for each target that has a figure, or a reason why it has none in `unmeasured`, by case."""
    told = {verdict["target"]: verdict for verdict in verdicts}
    if not any(target.name in told or target.case in unmeasured for target in targets):
        return
    print(f"\n{title}")
    for target in targets:
        verdict = told.get(target.name)
        if verdict:
            figure = f"{verdict['figure']:,.{target.digits}f} {target.unit}"
            wanted = f"{verdict['sense']} {target.wanted:g}"
            print(f"  {'met   ' if verdict['met'] else 'MISSED'}  {target.name:58} {figure:>16}   {wanted}"
                  + ("" if verdict["met"] else f"   off by a factor of {verdict['off']:.2f}"))
        elif target.case in unmeasured:
            print(f"  --      {target.name:58} {unmeasured[target.case]}")
    met = [told[target.name]["met"] for target in targets if target.name in told]
    print(f"  {sum(met)} met, {len(met) - sum(met)} missed, {len(targets) - len(met)} not measured")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    main()
