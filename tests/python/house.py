"""The size of the house, counted: production lines by room, lines that only list variants, view structs, long files and
long functions. Prints the figures, and fails if something has grown that should shrink. Run it in the project's root.

What is counted is code of the product: no tests, no samples. Whoever makes something smaller lowers its figure here, or it would grow again.
"""

import collections
import glob
import re
import sys

# The longest file and function that need no reason.
LINES_OF_FILE, LINES_OF_FUNCTION = 600, 80
# So many variants in a row that all lead to nothing are a list that somebody has to keep.
LISTED = 8

# Files that are longer, and how long they may be.
LONG_FILES = {
}
# Functions that are longer, and how long they may be: one match each, with a different answer in each arm. In parts, an
# event or a code would have to be looked for in several, and the compiler would ask for it in none.
LONG_FUNCTIONS = {
    "crates/chouette/src/state/apply.rs take_note": 103,
    "crates/http/src/problem/codes.rs explained": 313,
    "crates/play/src/tournament/state.rs take_note": 151,
}
# So many runs of variants that lead to nothing there may be.
RUNS = 3
# So many structs with public fields the pages have. Most copy what the desk has answered; a new page has one, with
# the answer itself.
VIEW_STRUCTS = 174

TESTS = re.compile(r"/tests?/|(^|/|_)tests?\.rs$|samples?\.rs$|/benches/|preview\.rs$|fixture\.rs$|simulation\.rs$")
VARIANT = r"(?:[A-Za-z_]+::)+[A-Z]\w*(?:\s*\{[^{}]*\.\.\s*\}|\(\.\.\)|\([_, ]+\)|\(\w+\)|\s*\{\s*\})?"
NOTHING = r"(?:=>\s*(?:\{\}|None,?|false,?|true,?|Ok\(\(\)\),?|&\[\],?|Vec::new\(\),?)?)?,?"
LISTS = re.compile(rf"^\s*\|\s*{VARIANT}\s*(?:\|\s*{VARIANT}\s*)*{NOTHING}$")
FUNCTION = re.compile(r"(\s*)(?:pub(?:\([^)]*\))? )?(?:const )?(?:async )?fn (\w+)")


def without_tests(lines):
    """The lines of a file without its inline test modules."""
    kept, at = [], 0
    while at < len(lines):
        line = lines[at]
        if re.match(r"\s*#\[cfg\(test\)\]", line) and at + 1 < len(lines) and re.search(r"\bmod \w+ \{", lines[at + 1]):
            end = " " * (len(line) - len(line.lstrip())) + "}"
            while at < len(lines) and lines[at].rstrip() != end:
                at += 1
        else:
            kept.append(line)
        at += 1
    return kept


def functions(lines):
    """The name and length of each function."""
    begun = []
    for number, line in enumerate(lines):
        found = FUNCTION.match(line)
        if found and not line.rstrip().endswith((";", "}")):
            begun.append((number, " " * len(found[1]) + "}", found[2]))
        while begun and line.rstrip() == begun[-1][1]:
            start, _, name = begun.pop()
            yield name, number - start + 1


def runs(lines):
    """The length of each run of variants that leads to nothing."""
    length = 0
    for line in lines:
        if LISTS.match(line):
            length += 1 + line.strip().lstrip("|").count(" | ")
            if "=>" in line:
                yield length + 1
                length = 0
        else:
            length = 0


def view_structs(lines):
    """The number of fields of each public struct."""
    fields = None
    for line in lines:
        if re.match(r"pub(\(\w+\))? struct \w+.*\{$", line):
            fields = 0
        elif fields is not None and re.match(r"    pub(\([^)]*\))? \w+:", line):
            fields += 1
        elif fields is not None and line == "}":
            yield fields
            fields = None


def main():
    files = sorted(glob.glob("src/**/*.rs", recursive=True) + glob.glob("crates/**/*.rs", recursive=True))
    rooms, long_files, long_functions = collections.Counter(), {}, {}
    variant_lines, long_runs, views = 0, [], []
    for path in files:
        if TESTS.search(path):
            continue
        with open(path, encoding="utf8") as file:
            lines = without_tests(file.read().split("\n"))
        parts = path.split("/")
        rooms[parts[1] if parts[0] == "crates" else "src"] += len(lines)
        if len(lines) > LINES_OF_FILE:
            long_files[path] = len(lines)
        for name, length in functions(lines):
            if length > LINES_OF_FUNCTION:
                long_functions[f"{path} {name}"] = length
        variant_lines += sum(1 for line in lines if LISTS.match(line))
        long_runs += [run for run in runs(lines) if run >= LISTED]
        if path.startswith("crates/site/src/"):
            views += view_structs(lines)

    print(f"production lines: {sum(rooms.values())}", dict(rooms.most_common()))
    print(f"lines that only list variants: {variant_lines}; runs of {LISTED} and more that lead to nothing: {len(long_runs)}")
    print(f"view structs: {len(views)}, with {sum(views)} fields")
    print(f"files over {LINES_OF_FILE} lines: {len(long_files)}; functions over {LINES_OF_FUNCTION}: {len(long_functions)}")

    off = []
    for kind, found, allowed in (("file", long_files, LONG_FILES), ("function", long_functions, LONG_FUNCTIONS)):
        most = LINES_OF_FILE if kind == "file" else LINES_OF_FUNCTION
        off += [
            f"{kind} {name}: {length} lines, of {allowed.get(name, most)}"
            for name, length in sorted(found.items())
            if length > allowed.get(name, most)
        ]
        off += [
            f"{kind} {name}: {found.get(name, 0)} lines, no longer {lines}"
            for name, lines in sorted(allowed.items())
            if found.get(name, 0) < lines
        ]
    for what, now, most in (
        ("runs of variants that lead to nothing", len(long_runs), RUNS),
        ("view structs", len(views), VIEW_STRUCTS),
    ):
        if now != most:
            off.append(f"{what}: {now}, not {most}")
    for line in off:
        print(f"not as its figure here says: {line}", file=sys.stderr)
    return bool(off)


if __name__ == "__main__":
    sys.exit(main())
