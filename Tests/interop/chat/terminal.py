"""A program in a pseudo-terminal, and what a person would see there."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unicodedata


def width(character):
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


class Screen:
    """Just enough of a terminal: CUP, EL, ED and text. What it does not know is an error."""

    token = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])|\x1b\]52;[^\x07]*\x07|(\x1b)|(\r?\n)|(.)", re.S)

    def __init__(self, columns, rows):
        self.resize(columns, rows)
        self.unknown = []
        self.modes = set()
        self.rest = ""

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.broken = []

    def feed(self, text):
        text = self.rest + text
        # A sequence that is cut waits for its end.
        cut = re.search(r"\x1b(\[[?\d;]*|\]52;[^\x07]*)?$", text)
        self.rest = text[cut.start():] if cut else ""
        for match in self.token.finditer(text[: cut.start()] if cut else text):
            parameters, final, escape, newline, character = match.groups()
            if final == "H":
                numbers = [int(part or 1) for part in (parameters or "1;1").split(";")]
                self.row, self.column = numbers[0] - 1, (numbers + [1])[1] - 1
            elif final == "K":
                self.lines[self.row][self.column:] = [" "] * (self.columns - self.column)
            elif final == "J":
                self.lines = [[" "] * self.columns for _ in range(self.rows)]
            elif final in ("h", "l"):
                (self.modes.add if final == "h" else self.modes.discard)(parameters)
            elif final == "m" or match.group().startswith("\x1b]52;"):
                pass
            elif final or escape:
                self.unknown.append(match.group())
            elif newline:
                self.row, self.column = min(self.row + 1, self.rows - 1), 0
            elif ord(character) < 0x20:
                self.unknown.append(character)
            else:
                self.put(character)

    def put(self, character):
        columns = width(character)
        if self.row >= self.rows or self.column + columns > self.columns:
            self.broken.append((self.row, self.column, character))
            return
        if columns == 0:
            if self.column:
                self.lines[self.row][self.column - 1] += character
            return
        self.lines[self.row][self.column] = character
        if columns == 2:
            self.lines[self.row][self.column + 1] = ""
        self.column += columns

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines)


class Program:
    def __init__(self, words, environment, columns=100, rows=30):
        self.screen = Screen(columns, rows)
        self.raw = ""
        self.master, self.slave = pty.openpty()
        self.set_size(columns, rows)
        self.modes_before = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            words, stdin=self.slave, stdout=self.slave, stderr=self.slave, env=environment,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.pending = b""

    def set_size(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.read(0)
        self.set_size(columns, rows)
        self.screen.resize(columns, rows)
        os.kill(self.process.pid, signal.SIGWINCH)

    def type(self, text):
        os.write(self.master, text.encode())

    def read(self, patience):
        ready, _, _ = select.select([self.master], [], [], patience)
        if not ready:
            return False
        self.pending += os.read(self.master, 65536)
        text = self.pending.decode("utf-8", "ignore")
        whole = len(text.encode())
        self.pending = self.pending[whole:]
        self.raw += text
        self.screen.feed(text)
        return True

    def wait(self, condition, patience=10):
        """Reads until the condition, a text or a function, holds for the screen."""
        test = condition if callable(condition) else lambda screen: condition in screen.text()
        end = time.monotonic() + patience
        while not test(self.screen):
            if time.monotonic() > end:
                raise AssertionError(f"not seen: {condition}\n{self.screen.text()}")
            self.read(0.1)

    def leave(self, patience=5):
        end = time.monotonic() + patience
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.05)
        while self.read(0.05):
            pass
        return self.process.poll()

    def modes(self):
        return termios.tcgetattr(self.slave)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)
