"""Cuts the blocks of Swift out of a page that lost its fences and, in parts, its indentation.

A block is a run of lines that look like Swift. What makes a line look like Swift:

* inside of open brackets every line does;
* outside it begins with a word that begins a statement or a declaration, with a call or a property of a value in lower
  case, with an attribute, a comment or a closing bracket, and is no sentence.

A block ends at the first line that does not look so, before a comment that names the kit of views it is for, at a
blank line that is followed by prose, and behind a closing bracket that prose is glued to.
"""
import re
from dataclasses import dataclass, field

KITS = re.compile(r"^//\s*(SwiftUI|UIKit)\b")
STARTS = re.compile(
    r"^(import|let|var|func|struct|class|enum|extension|protocol|if|for|while|switch|case|default|do|guard|return|try|await|"
    r"final|private|public|static|override|mutating|weak|lazy|else|catch)\b"
    r"|^@[A-Za-z]\w+ |^//|^[})\]]|^\.[a-z]\w*\s*[({]|^\w+: \[$"
    r"|^[a-z]\w*(\??\.\$?\w+)+(\s*$|\s*[=(\[{.]|\s+=|\s+//)"
    r"|^[a-z]\w* = |^[A-Z]\w*(\.\w+)*(\([^)]*(\)|$)|\s*\{)")
# A row of a table, or a sentence that names code: words behind a call, words without any sign of Swift, dashes, bullets.
PROSE = re.compile(
    r"[\w)]\)?\s+(?!else|as|in|async|throws|where|is|catch|switch|if|get|set)\(?[a-z]+ (?!in )[a-z]+ "
    r"|\)\s+(?!else|as|in|async|throws|where|is|catch)\(?[a-z]+ \w+"
    r"|^[•–]| · |—$| - [A-Z]")
SWIFT = re.compile(r"[{}()=;\[\]]|\w\.\$?\w|^//|: \w+$")
# The first words of what follows, glued to the end of a comment: "…the dotsIn a view:".
GLUED = re.compile(r"[\w.)][A-Z][a-z]* [a-z]+ [a-z]+[^()]*:$")


@dataclass
class Block:
    """A run of lines, from `line` (counted from 1) of the page."""
    line: int
    lines: list = field(default_factory=list)

    @property
    def text(self):
        return "\n".join(self.lines).strip("\n") + "\n"

    @property
    def kit(self):
        """SwiftUI or UIKit, where the block's first comment names it."""
        found = KITS.match(self.lines[0].strip()) if self.lines else None
        return found.group(1) if found else None


def bare(line):
    """The line without texts and comments, for counting brackets."""
    line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
    return re.sub(r"//.*$", "", line)


def depth(line):
    words = bare(line)
    return sum(words.count(c) for c in "{([") - sum(words.count(c) for c in "})]")


def looks_like_swift(line):
    words = line.strip()
    if words.startswith("//"):
        return True
    code = bare(words)
    if not (STARTS.search(words) and SWIFT.search(words)):
        return False
    return " = " in code or code.rstrip()[-1:] in set("{},([") or not PROSE.search(code)


def split_glued(line, open_brackets):
    """A closing bracket that ends the block, with prose behind it: the code, and the prose."""
    level = open_brackets
    for index, character in enumerate(bare(line)):
        level += (character in "{([") - (character in "})]")
        if level == 0 and character in "})":
            rest = line[index + 1:]
            if re.match(r"^[A-Z][a-z]+", rest):
                return line[:index + 1], rest
    return line, None


def blocks(page):
    """Every block of `page`, in order."""
    found, current, level, gap = [], None, 0, 0
    lines = page.split("\n")

    def close():
        nonlocal current, level, gap
        if current and any(bare(line).strip() for line in current.lines):
            while current.lines and not current.lines[-1].strip():
                current.lines.pop()
            found.append(current)
        current, level, gap = None, 0, 0

    for number, line in enumerate(lines, 1):
        words = line.strip()
        if level > 0:
            code, prose = split_glued(line, level)
            current.lines.append(code)
            level += depth(code)
            if prose is not None:
                close()
            continue
        if not words:
            if current:
                gap += 1
                current.lines.append("")
            continue
        if KITS.match(words) or (gap and re.match(r"^//", words)):
            close()
        if not looks_like_swift(line):
            close()
            continue
        if current is None:
            current = Block(number)
        code, prose = split_glued(line, 0)
        current.lines.append(code)
        level, gap = max(0, depth(code)), 0
        if prose is not None or GLUED.search(words):
            close()
    close()
    return found


if __name__ == "__main__":
    import sys
    for path in sys.argv[1:]:
        for block in blocks(open(path, encoding="utf-8").read()):
            print(f"--- {path.split('/')[-1]}:{block.line} {block.kit or ''}\n{block.text}")
