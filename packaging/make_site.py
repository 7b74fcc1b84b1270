"""Makes a site of the documents, in the project's root:

    target/python/bin/python packaging/make_site.py                                  without pictures
    target/python/bin/python packaging/make_site.py --pictures target/debug/owlbox   with pictures of its demo

The site is in target/site/pages. Its sources are copies of the documents, in which links to other files of the
project lead to copies of these. A line `<!-- picture NAME: what it shows -->` becomes that picture. Every warning is an
error.
"""

import argparse
import logging
import os
import re
import shutil
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config import load_config

import pictures

ROOT = Path(__file__).resolve().parent.parent
BESIDE_DOCS = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md"} | {
    name: name.lower() for name in ("CHANGELOG.md", "SECURITY.md")
}
LINK = re.compile(r'(\]\(|src=")([^)"#\s]+)')
PICTURE = re.compile(r"<!-- picture ([a-z-]+): (.+) -->")


def place_of(file):
    """Where a file of the project is in the site's sources."""
    relative = file.relative_to(ROOT).as_posix()
    return BESIDE_DOCS.get(relative) or relative.removeprefix("docs/")


def text_for_the_site(file, text, source, has_pictures):
    place = Path(place_of(file))

    def link(found):
        before, target = found.groups()
        linked = (file.parent / target).resolve()
        if "://" in target or not linked.is_file():
            return found[0]
        copy = source / place_of(linked)
        if linked.suffix != ".md" and not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(linked, copy)
        return before + os.path.relpath(place_of(linked), place.parent)

    text = LINK.sub(link, text)
    return PICTURE.sub(r"![\2](images/\1.png)" if has_pictures else "", text)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pictures", metavar="PROGRAM", type=Path, help="a built owlbox, whose demo is shown")
    asked = arguments.parse_args()
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "site"
    shutil.rmtree(target, ignore_errors=True)
    source = target / "source"
    source.mkdir(parents=True)
    documents = [*(ROOT / "docs").glob("*.md"), *(ROOT / name for name in BESIDE_DOCS)]
    texts = {file: file.read_text(encoding="utf-8") for file in documents}
    if asked.pictures:
        wanted = {name for text in texts.values() for name, _ in PICTURE.findall(text)}
        pictures.take(asked.pictures.resolve(), source / "images", wanted)
    for file, text in texts.items():
        (source / place_of(file)).write_text(
            text_for_the_site(file, text, source, bool(asked.pictures)), encoding="utf-8"
        )
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    config = load_config(str(ROOT / "mkdocs.yml"), docs_dir=str(source), site_dir=str(target / "pages"), strict=True)
    build(config)


if __name__ == "__main__":
    main()
