#!/usr/bin/env python3
"""Writes Shared/Patterns/FoldingTable.swift from Python's copy of the Unicode database.

Run it from the root of the repository:

    python3 Tests/Data/matching/make_folding_table.py > Shared/Patterns/FoldingTable.swift

A character is in the table when upper case, then lower case, then canonical decomposition without the dropped
marks, composed again, gives something other than upper case, then lower case alone. Everything else is left to the properties
of `Unicode.Scalar`. The dropped marks are the ones of `Folding.isDropped`: keep both lists alike.
"""
import unicodedata

DROPPED = [
    (0x0300, 0x0344), (0x0346, 0x036F), (0x0483, 0x0487), (0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2),
    (0x05C4, 0x05C5), (0x05C7, 0x05C7), (0x0610, 0x061A), (0x0640, 0x0640), (0x064B, 0x065F), (0x0670, 0x0670),
    (0x06D6, 0x06DC), (0x06DF, 0x06E4), (0x06E7, 0x06E8), (0x06EA, 0x06ED), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF), (0xFE20, 0xFE2F),
]
# Letters that Unicode does not take apart but people type without the stroke, and signs with an ASCII twin.
SPECIAL = {
    "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ł": "l", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th", "ĸ": "k",
    "ƀ": "b", "ɨ": "i", "ʉ": "u", "ɖ": "d",
    "\u2018": "'", "\u2019": "'", "\u201b": "'", "\u02bc": "'", "\u2032": "'", "\u00b4": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"',
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-", "\u3000": " ",
}


def is_dropped(char):
    return any(low <= ord(char) <= high for low, high in DROPPED)


def cased(text):
    return "".join(lower for upper in text.upper() for lower in upper.lower())


def folded(char):
    text = char
    if 0xFF66 <= ord(char) <= 0xFF9F:
        text = unicodedata.normalize("NFKD", char)  # half-width katakana
    if unicodedata.category(char) == "Zs":
        return " "
    text = unicodedata.normalize("NFD", cased(text))
    text = "".join(c for c in text if not is_dropped(c))
    return unicodedata.normalize("NFC", "".join(SPECIAL.get(c, c) for c in cased(text)))


single, several = [], []
for value in range(0x80, 0x10000):
    if 0xAC00 <= value <= 0xD7A3 or 0xD800 <= value <= 0xDFFF or 0xF900 <= value <= 0xFAFF:
        continue
    char = chr(value)
    if is_dropped(char) or 0xFF01 <= value <= 0xFF5E:
        continue
    result = folded(char)
    if result == cased(char) or not result:
        continue
    assert all(ord(c) < 0x10000 for c in result)
    (single if len(result) == 1 else several).append((value, [ord(c) for c in result]))


def rows(words, width):
    for start in range(0, len(words), width):
        yield "        " + ", ".join(words[start:start + width]) + ","


print("// Made by Tests/Data/matching/make_folding_table.py from Unicode %s. Do not edit." % unicodedata.unidata_version)
print()
print("/// What ``Folding`` makes of characters with accents and of letters and signs with a plain twin.")
print("enum FoldingTable {")
print("    /// Sorted: the character in the upper 16 bits, what it folds to in the lower 16.")
print("    static let single: [UInt32] = [")
print("\n".join(rows(["0x%04X_%04X" % (k, v[0]) for k, v in single], 7)))
print("    ]")
print()
print("    /// Sorted: the character in the upper 16 bits, the start of its run in ``runs`` in the lower 16.")
print("    static let several: [UInt32] = [")
runs, entries = [], []
for key, values in several:
    entries.append("0x%04X_%04X" % (key, len(runs)))
    runs += ["0x%04X" % v for v in values] + ["0"]
print("\n".join(rows(entries, 7)))
print("    ]")
print()
print("    /// Runs of characters, each ended by a zero.")
print("    static let runs: [UInt16] = [")
print("\n".join(rows(runs, 12)))
print("    ]")
print("}")
