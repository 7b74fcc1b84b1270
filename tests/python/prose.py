"""Checks the documents' English: proselint's rules, and the house's own below. Run it in the project's root. It names
every line that breaks a rule, and fails. It reads the documents in `FILES`: when you have brought another document to
these rules, add it.

Code and the targets of links are not prose. A heading, an item of a list and a cell of a table end a sentence.
"""

import re
import sys

from proselint.checks import __register__ as everything
from proselint.config import DEFAULT
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

FILES = """
README.md
CONTRIBUTING.md
SECURITY.md
docs/api.md
docs/architecture.md
docs/director.md
docs/player.md
docs/scorer.md
docs/secretary.md
docs/treasurer.md
docs/house-rules.md
docs/night-files.md
docs/night-with-curl.md
docs/engine.md
docs/exports.md
docs/decisions.md
docs/glossary.md
docs/limits.md
docs/many-clubs.md
docs/operations.md
docs/performance.md
docs/permissions.md
docs/rules.md
docs/tournaments.md
""".split()

LONGEST_SENTENCE = 30
LONGEST_LINE = 110
# What no native speaker writes, and what to write instead.
STRANGE = {
    r"whoever": "you, anyone who",
    r"but for": "except",
    r"to be had": "available",
    r"of (its|their) own accord": "by itself",
    r"as (it is|they are)": "unchanged",
    r"for ever": "forever",
    r"no(body's)? matter of": "does not affect",
    r"from a time to come": "in the future",
    r"is well again": "recovers",
}
# Straight quotes and three dots are what a shell and a keyboard have.
CHECKS = DEFAULT["checks"] | {"typography": False}


def prose(text):
    """The text with everything that is not prose blanked out, line by line."""
    lines, is_code = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            line, is_code = "", not is_code
        elif is_code or re.fullmatch(r"[\s|:-]*", line):
            line = ""
        line = re.sub(r"`[^`]*`", "CODE", line)
        line = re.sub(r"<[^>]*>", "", line)
        line = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", line)
        lines.append(re.sub(r"\*(?=\S)|(?<=\S)\*", "", line))
    return lines


def sentences(lines):
    """Every sentence, with the number of the line it begins in."""
    begun, words = 0, []
    for number, line in enumerate(lines, 1):
        begins = not line.strip() or re.match(r"\s*([-*|#>]|\d+\.)\s?", line) or line.startswith("|")
        if begins and words:
            yield begun, words
            words = []
        for cell in line.strip().strip("|").split(" | "):
            for word in cell.split():
                if not words:
                    begun = number
                if re.search(r"\w", word):
                    words.append(word)
                if re.search(r"[.!?][)\"”]*$", word) and words:
                    yield begun, words
                    words = []
            if line.startswith("|") and words:
                yield begun, words
                words = []
    if words:
        yield begun, words


def findings(file, text):
    lines = prose(text)
    for number, (line, shown) in enumerate(zip(lines, text.split("\n")), 1):
        is_wrapped = line and not line.startswith(("|", "#")) and " " in shown.strip()
        if is_wrapped and len(shown) > LONGEST_LINE:
            yield number, f"{len(shown)} columns: wrap it at {LONGEST_LINE}"
        for strange, better in STRANGE.items():
            if found := re.search(rf"\b({strange})\b", line, re.IGNORECASE):
                yield number, f"{found[0]!r}: better {better!r}"
    for number, words in sentences(lines):
        if len(words) > LONGEST_SENTENCE:
            yield number, f"a sentence of {len(words)} words: {' '.join(words[:8])} ..."
    # The mark ends what a blank line ends; else a heading's last word and the next one would be a word twice.
    linter = LintFile(file, "\n".join(line or "¶" for line in lines))
    for found in linter.lint({"max_errors": 1000, "checks": CHECKS}):
        yield found.pos[0], found.check_result.message


def main():
    CheckRegistry().register_many(everything)
    failed = False
    for file in FILES:
        with open(file, encoding="utf-8") as opened:
            for number, message in sorted(findings(file, opened.read())):
                print(f"{file}:{number}: {message}", file=sys.stderr)
                failed = True
    sys.exit(failed)


main()
