#!/usr/bin/env python3
"""Prints the licences of the libraries in the program, for everybody who passes the program on: first a line for each
library, then every text once, with the libraries that bring it along."""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
IS_TEXT = re.compile(r"licen[cs]e|copying|copyright|notice|unlicense", re.IGNORECASE)
RULE = "=" * 80


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def in_the_program():
    """Names and versions of the crates that the program is linked from, without those that only test or build it."""
    tree = output("cargo", "tree", "--locked", "--package=owlbox", "--edges=normal", "--prefix=none", "--format={p}")
    return {tuple(re.match(r"(\S+) v(\S+)", line).groups()) for line in tree.splitlines() if line}


def main():
    wanted = in_the_program()
    packages = json.loads(output("cargo", "metadata", "--locked", "--format-version=1"))["packages"]
    packages = [p for p in packages if (p["name"], p["version"]) in wanted and p["source"] is not None]
    brought_by = {}  # text -> who brings it
    print("Owlbox contains these libraries, each under its own licence.\n")
    for package in sorted(packages, key=lambda p: (p["name"], p["version"])):
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license'] or 'see its text'}, {package['repository'] or 'https://crates.io'}")
        folder = pathlib.Path(package["manifest_path"]).parent
        for path in sorted(folder.iterdir()):
            if path.is_file() and IS_TEXT.search(path.name):
                brought_by.setdefault(path.read_text(encoding="utf-8", errors="replace").strip(), []).append(name)
    for path in sorted((ROOT / "assets").rglob("*")):
        if path.is_file() and IS_TEXT.search(path.name):
            brought_by.setdefault(path.read_text(encoding="utf-8").strip(), []).append(f"assets: {path.stem}")
    for text, names in brought_by.items():
        print(f"\n{RULE}\n{', '.join(names)}\n{RULE}\n\n{text}")


main()
