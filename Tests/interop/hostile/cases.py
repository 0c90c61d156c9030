"""The list of cases, in the order of their files."""

from .server import Server

CASES = []


class Case:
    def __init__(self, name, expects, says=None, timeout=5, megabytes=200, check=None, heavy=False, words=("hi",),
                 seconds=None, server=Server, flags=(), until=None, shows=None, one_connection=False, **hooks):
        self.name = name
        # "answers": the talk goes on. "tells": an error and why. "either": one of the two.
        self.expects = expects
        # A pattern for what standard error says.
        self.says = says
        # Seconds that the chat is given.
        self.timeout = timeout
        # Peak of the resident memory.
        self.megabytes = megabytes
        # The name of a check on what the server saw, or the check itself.
        self.check = check
        # Takes much processor time: runs alone, and not with --quick.
        self.heavy = heavy
        self.words = words
        # Seconds of processor time, told and judged on release builds only.
        self.seconds = seconds
        # What the agent's rows say at the end; "?" is one replaced character, "*" any few.
        self.shows = shows
        # The chat has no reason to connect again.
        self.one_connection = one_connection
        # Who answers, and further words of the command.
        self.server = server
        self.flags = (*flags, *(("--until", until) if until else ()))
        self.hooks = hooks


def case(name, expects, **rest):
    CASES.append(Case(name, expects, **rest))
