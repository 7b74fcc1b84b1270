"""Checks the documents' English: proselint's rules, and the house's own below. Run it in the project's root. It names
every line that breaks a rule, and fails. It reads the documents in `FILES`: when you have brought another document to
these rules, add it. It reads as well what the pages say (`.ftl`) and the comments of the settings (`.toml`), and of
all sources what is `STRANGE` in a comment.

Code and the targets of links are not prose. A heading, an item of a list and a cell of a table end a sentence.
"""

import re
import sys
from pathlib import Path

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
docs/codes.md
docs/commands.md
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
docs/roadmap.md
docs/rules.md
docs/tournaments.md
""".split()
# The texts of `--help` and of the settings, and what the pages say.
TEXTS = ["config/default.toml", *map(str, sorted([*Path("src/cli").glob("args*/*.rs"), *Path("src/cli").glob("args*.rs")]))]
PAGES = [str(file) for file in sorted(Path("templates/locales/en").glob("*.ftl"))]
# A test prints it, with a line for each paragraph.
PRINTED = ["docs/commands.md", *PAGES]
SOURCES = [str(file) for room in ("crates", "src", "tests", "benches") for file in sorted(Path(room).rglob("*.rs"))]
SOURCES += [str(file) for file in sorted(Path("assets").glob("*.js"))]
COMMENTS = {".rs": "//", ".js": "//", ".toml": "#"}

LONGEST_SENTENCE = 30
LONGEST_LINE = 110
# What no native speaker writes, and what to write instead.
STRANGE = {
    r"whoever": "you, anyone who",
    r"but for": "except",
    r"to be had": "available",
    r"of (its|their) own accord": "by itself",
    r"for ever": "forever",
    r"no(body's)? matter of": "does not affect",
    r"from a time to come": "in the future",
    r"is well again": "recovers",
    r"all that is kept": "all data",
    r"kill .* as often": "kill ... that many times",
}
# Not in the comments of sources, where a sentence may go on: "as it is now".
STIFF = {r"as (it is|they are)": "unchanged"}
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


def prose_of(file, text):
    """What there is to read in a file, line by line: all of a document, the messages of pages, or comments."""
    if file.endswith(".ftl"):
        text = re.sub(r"\{[^{}\n]*(\}|->$)", "`x`", text, flags=re.M)
        return re.sub(r"^ *(\*?\[\w+\]|[.\w-]+ =)", "*", text, flags=re.M)
    if mark := next((mark for end, mark in COMMENTS.items() if file.endswith(end)), None):
        lines = (re.match(rf"\s*{mark}[/!]* ?(.*)", line) for line in text.split("\n"))
        return "\n".join(line[1] if line else "" for line in lines)
    return text


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


def wide(file, text):
    """Comments of Rust that are too wide; a table has to be."""
    for number, line in enumerate(text.split("\n"), 1):
        is_table = re.match(r"\s*//[/!]? \|", line)
        if file.endswith(".rs") and len(line) > LONGEST_LINE and re.match(r"\s*//", line) and not is_table:
            yield number, f"{len(line)} columns: wrap it at {LONGEST_LINE}"


def comments(file, text):
    yield from strange(file, text)
    yield from wide(file, text)


def strange(file, text, phrases=STRANGE):
    for number, line in enumerate(prose(prose_of(file, text)), 1):
        for words, better in phrases.items():
            if found := re.search(rf"\b({words})\b", line, re.IGNORECASE):
                yield number, f"{found[0]!r}: better {better!r}"


def findings(file, text):
    lines = prose(prose_of(file, text))
    yield from strange(file, text, STRANGE | STIFF)
    for number, (line, shown) in enumerate(zip(lines, text.split("\n")), 1):
        is_wrapped = file not in PRINTED and line and not line.startswith(("|", "#")) and " " in shown.strip()
        if is_wrapped and len(shown) > LONGEST_LINE:
            yield number, f"{len(shown)} columns: wrap it at {LONGEST_LINE}"
    for number, words in sentences(lines):
        if len(words) > LONGEST_SENTENCE:
            yield number, f"a sentence of {len(words)} words: {' '.join(words[:8])} ..."
    # The mark ends what a blank line ends; else a heading's last word and the next one would be a word twice.
    linter = LintFile(file, "\n".join(line or "¶" for line in lines))
    checks = CHECKS | {"lexical_illusions": False} if file in PRINTED else CHECKS
    for found in linter.lint({"max_errors": 1000, "checks": checks}):
        yield found.pos[0], found.check_result.message


def main():
    CheckRegistry().register_many(everything)
    failed = False
    for check, files in [(findings, FILES + TEXTS + PAGES), (comments, SOURCES)]:
        for file in files:
            for number, message in sorted(check(file, Path(file).read_text(encoding="utf-8"))):
                print(f"{file}:{number}: {message}", file=sys.stderr)
                failed = True
    sys.exit(failed)


main()
