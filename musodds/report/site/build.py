"""Build the documentation: pages, modules and notebooks as one site of plain files.

``python -m musodds.report.site.build FOLDER`` needs ``pip install "musodds[docs]"``. Where it is
run in a copy of the repository the README's pictures and the notebooks are in it too. A warning, or
a link that leads nowhere, is an error.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from importlib import metadata
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from urllib.parse import unquote, urlsplit

from musodds.errors import InputError
from musodds.report.site import commands, readme

PACKAGE = Path(__file__).parents[2]
ROOT = PACKAGE.parent
_UP = "../../../"
"""From a page to the top of the site."""

_UNKNOWN_HERE = "Error parsing type annotation"
"""Fields of named tuples and of bases in other modules: pdoc then shows the type as written."""


def documented() -> list[str]:
    """What pdoc is to show: all but the command line, kernels and what builds this."""
    parts = [module.name for module in iter_modules([str(PACKAGE)], "musodds.")]
    shown = [name for name in parts if name not in ("musodds.cli", "musodds.__main__")]
    return ["musodds", *shown, r"!musodds\..*kernels", "!musodds.report.site.build"]


_HOME = '<!doctype html><meta charset="utf-8"><title>musodds</title>\n' + (
    '<meta http-equiv="refresh" content="0; url=musodds/report/site/readme.html">\n'
    '<a href="musodds/report/site/readme.html">musodds</a>\n'
)


def build(folder: Path) -> int:
    """Write the site.

    Parameters
    ----------
    folder : Path
        Made if need be.

    Returns
    -------
    int
        Pages.

    Raises
    ------
    InputError
        If pdoc is not there, or a link leads nowhere.
    """
    try:
        import pdoc
        import pdoc.render
    except ImportError:
        raise InputError("the site needs pdoc: pip install 'musodds[docs]'") from None
    folder.mkdir(parents=True, exist_ok=True)
    readme.__doc__ = _readme(folder)
    commands.__doc__ = _commands()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", _UNKNOWN_HERE)
        pdoc.render.configure(docformat="numpy", show_source=False, footer_text="musodds")
        pdoc.pdoc(*documented(), output_directory=folder)
    _notebooks(folder)
    (folder / "index.html").write_text(_HOME, encoding="utf-8")
    pages = sorted(folder.rglob("*.html"))
    broken = list(dead_links(folder, pages))
    if broken:
        raise InputError(f"{len(broken)} links lead nowhere: {'; '.join(broken[:5])}")
    return len(pages)


def _readme(folder: Path) -> str:
    """The README, its links made to fit; what they lead to is copied."""
    path = ROOT / "README.md"
    if not path.is_file():
        return str(metadata.metadata("musodds").json["description"])

    def moved(found: re.Match[str]) -> str:
        target = found[1]
        if target.startswith(("http", "#")):
            return found[0]
        if target.endswith(".ipynb"):
            return f"]({_UP}{target.removesuffix('.ipynb')}.html)"
        if (ROOT / target).is_file():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / target, folder / target)
        return f"]({_UP}{target})"

    return re.sub(r"\]\(([^)\s]+)\)", moved, path.read_text(encoding="utf-8"))


def _commands() -> str:
    """``--help`` of every command."""
    overview = _help()
    listed = overview[overview.lower().index("commands:") :]
    names = re.findall(r"^  ([a-z]+)  ", listed, re.MULTILINE)
    parts = [f"The command line.\n\n```text\n{overview}\n```\n"]
    for name in names:
        parts.append(f"# musodds {name}\n\n```text\n{_help(name)}\n```\n")
    return "\n".join(parts)


def _help(*words: str) -> str:
    given = [sys.executable, "-m", "musodds", *words, "--help"]
    return subprocess.run(given, capture_output=True, text=True, check=True).stdout.rstrip()


def _notebooks(folder: Path) -> None:
    """The notebooks as they are stored."""
    found = sorted((ROOT / "notebooks").glob("*.ipynb"))
    if not found:
        return
    try:
        from nbconvert import HTMLExporter
    except ImportError:
        raise InputError("the notebooks need nbconvert: pip install 'musodds[docs]'") from None
    (folder / "notebooks").mkdir(exist_ok=True)
    exporter: Any = HTMLExporter  # some versions of it have no types
    for path in found:
        html, _ = exporter().from_filename(str(path))
        html = re.sub(r'(href="[^"#]*)\.ipynb', r"\1.html", html)
        (folder / "notebooks" / f"{path.stem}.html").write_text(html, encoding="utf-8")


class _Links(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and (name in ("id", "name")):
                self.anchors.add(value)
            elif value and tag in ("a", "img") and name in ("href", "src"):
                self.links.append(value)


def dead_links(folder: Path, pages: list[Path]) -> Iterator[str]:
    """Links of pages to files or anchors of the site that are not there."""
    read: Mapping[Path, _Links] = {page.resolve(): _Links() for page in pages}
    for page, links in read.items():
        links.feed(page.read_text(encoding="utf-8"))
    for page, links in read.items():
        for link in links.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            path = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
            anchors = read[path].anchors if path in read else None
            lost = anchors is not None and unquote(parts.fragment) not in anchors | {""}
            if not path.exists() or lost:
                yield f"{page.relative_to(folder.resolve())} -> {link}"


if __name__ == "__main__":
    try:
        print(f"{build(Path(sys.argv[1]))} pages in {sys.argv[1]}")
    except InputError as error:
        sys.exit(f"musodds: {error}")
