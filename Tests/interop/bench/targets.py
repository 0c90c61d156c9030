"""What the figures should be. Told, never enforced: a machine may be slow."""

import statistics


class Target:
    def __init__(self, name, case, wanted, figure, unit="", digits=2, is_least=False, is_under=False):
        self.name, self.case, self.wanted, self.figure = name, case, wanted, figure
        self.unit, self.digits, self.is_least, self.is_under = unit, digits, is_least, is_under

    def judge(self, results):
        """None when it was not measured, else a row of the table."""
        value = self.figure(results.get(self.case, {}))
        if value is None:
            return None
        if self.is_least:
            sense, is_met = "at least", value >= self.wanted
        elif self.is_under:
            sense, is_met = "under", value < self.wanted
        else:
            sense, is_met = "at most", value <= self.wanted
        return {
            "target": self.name, "case": self.case, "figure": round(value, 4), "wanted": self.wanted,
            "unit": self.unit, "sense": sense, "met": is_met,
            # How far off: 1.25 is a quarter too much, or too little where more is better.
            "off": 1 if is_met else self.wanted / value if self.is_least else value / self.wanted,
        }


def samples(results, contender, key):
    return [got[key] for got in results.get(contender, []) if key in got]


def median(contender, key, scale=1):
    def figure(results):
        values = samples(results, contender, key)
        return statistics.median(values) * scale if values else None

    return figure


def ratio(ours, theirs, key):
    """The median of what each round alone says: its two figures were taken within seconds."""

    def figure(results):
        pairs = list(zip(samples(results, ours, key), samples(results, theirs, key)))
        return statistics.median(a / b for a, b in pairs) if pairs else None

    return figure


def growth(who):
    grown = ratio(f"50,000, {who}", f"1,000, {who}", "us_per_message")

    def figure(results):
        value = grown(results)
        return None if value is None else (value - 1) * 100

    return figure


def reach(name, case, wanted, figure, unit="×", digits=2, is_least=False, is_under=False):
    return Target(name, case, wanted, figure, unit, digits, is_least, is_under)


ECHO, MOCK, PLAIN, UNWATCHED = "libwebsockets", "node mock", "node, plain echo", "ours, unwatched"

# What is to be reached: every line is printed in every run, with its verdict or with why there is none.
TO_REACH = [
    reach("round trip, user time, against the earlier build", "round-trip-64", 0.5, ratio("ours", "beside", "user_us")),
    reach("round trip, CPU per message, against the Node mock", "round-trip-64", 0.36,
          ratio("ours", MOCK, "us_per_message")),
    reach("round trip, rate, against Node's plain echo", "round-trip-64", 1.4, ratio("ours", PLAIN, "rate"),
          is_least=True),
    reach("round trip, allocations", "allocations-64", 4, median("ours", "per_message"), "", 1),
    reach("round trip, CPU, records and rule checks", "round-trip-64", 1.08,
          ratio("ours", UNWATCHED, "us_per_message")),
    reach("fan-out to ten, CPU, records and rule checks", "fan-10", 1.15, ratio("ours", UNWATCHED, "us_per_message")),
    reach("token and session, CPU, records and rule checks", "http-64", 1.1,
          ratio("ours", UNWATCHED, "us_per_message")),
    reach("idle session, memory, records and rule checks", "idle-10000", 1.4, ratio("ours", UNWATCHED, "kb_each")),
    reach("fan-out to ten, rate, against Node", "fan-10", 1.3, ratio("ours", "node", "rate"), is_least=True),
    reach("fan-out to ten, CPU, against the Node mock", "fan-10", 0.6, ratio("ours", MOCK, "us_per_message")),
    reach("plain echo, 64, rate, against libwebsockets", "echo-64", 1.0,
          ratio("ours", ECHO, "rate"), is_least=True),
    reach("plain echo, 64, CPU, against libwebsockets", "echo-64", 0.9, ratio("ours", ECHO, "us_per_message")),
    reach("plain echo, 1,000, rate, against libwebsockets", "echo-1000", 1.0,
          ratio("ours", ECHO, "rate"), is_least=True),
    reach("plain echo, 1,000, CPU, against libwebsockets", "echo-1000", 0.95,
          ratio("ours", ECHO, "us_per_message")),
    *(reach(f"plain echo, {n:,}, CPU, against uWebSockets", f"echo-{n}", 1.05,
            ratio("ours", "uWebSockets", "us_per_message")) for n in (64, 1000)),
    reach("streaming, 2,000 sessions at 25 ms, p99 late", "pace-2000", 10, median("ours", "p99_ms"), "ms",
          is_under=True),
    reach("streaming, 2,000 sessions, CPU per frame", "pace-2000", 9, median("ours", "us_per_message"), "µs"),
    reach("token and session, CPU, against the Node mock", "http-64", 0.45, ratio("ours", MOCK, "us_per_message")),
    reach("four shards on one core, rate, against one process", "shards-4", 0.95,
          ratio("ours, four shards", "ours, one process", "rate"), is_least=True),
    reach("idle session with its connection", "idle-10000", 3.5, median("ours", "kb_each"), "KB"),
    reach("start-up, dynamic", "start", 12, median("ours", "median_ms"), "ms"),
    reach("idle process, resident", "start", 15, median("ours", "rss_kb", 1 / 1024), "MB"),
    reach("idle process, private", "start", 1.6, median("ours", "private_kb", 1 / 1024), "MB"),
    reach("streaming, 500 sessions, wire --follow beside, p99 late", "pace-500", 1.5,
          median("ours, followed", "p99_ms"), "ms", is_under=True),
    reach("a short message with its echo, kept without rows", "kept-message", 300,
          median("ours", "bytes_per_message"), "bytes", 0),
    reach("a short message with its echo, kept with rows", "kept-message", 500,
          median("ours, rows", "bytes_per_message"), "bytes", 0),
    reach("a file of 20 MB, memory beyond its size", "file-20", 1, median("ours", "extra_mb"), "MB"),
    reach("chunks of others while a file comes in, p99 late", "file-20", 5, median("ours", "p99_ms"), "ms"),
]

# What was reached before and has to stay.
TO_KEEP = [
    Target("plain echo, 64 connections, against Node ws", "echo-64", 2.0, ratio("ours", "node", "rate"), "×",
           is_least=True),
    Target("plain echo, 1,000 connections, against Node ws", "echo-1000", 2.0, ratio("ours", "node", "rate"), "×",
           is_least=True),
    Target("round trip, 64 sessions, against Node ws's plain echo", "round-trip-64", 1.5,
           ratio("ours", "node, plain echo", "rate"), "×", is_least=True),
    Target("round trip, 64 sessions, with one inspector", "followed-64", 0.9,
           ratio("ours, 1 inspector", "ours", "rate"), "×", is_least=True),
    Target("round trip, 64 sessions, with three inspectors", "followed-64", 0.75,
           ratio("ours, 3 inspectors", "ours", "rate"), "×", is_least=True),
    Target("pacing error p99, 500 sessions", "pace-500", 1.0, median("ours", "p99_ms"), "ms", 3),
    Target("start-up, static binary", "start", 15.0, median("ours, static", "median_ms"), "ms"),
    Target("resident memory idle, static binary", "start", 15.0, median("ours, static", "rss_kb", 1 / 1024),
           "MB"),
    Target("static binary, stripped", "size", 30.0, median("ours, static", "stripped_mb"), "MB", 1),
    Target("static binary, as built", "size", 30.0, median("ours, static", "mb"), "MB", 1),
    Target("cost per message, 1,000 to 50,000 sessions, 64 talk", "growth", 15.0, growth("64 talk"), "% more", 1),
    Target("cost per message, 1,000 to 50,000 sessions, 1,000 in turn", "growth", 15.0, growth("1,000 in turn"),
           "% more", 1),
    Target("replay of 10,000 events", "replay", 15.0, median("ours, prompt", "median_ms"), "ms"),
    Target("token and session, against node's http", "http-64", 2.0, ratio("ours", "node", "rate"), "×",
           is_least=True),
]

TARGETS = TO_REACH + TO_KEEP
