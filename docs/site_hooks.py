"""What ``make site`` adds to mkdocs: pages for the texts of the repository that are outside of docs/.

In the repository a page links to ``../README.md``, and README.md to ``docs/viewer.md``. In the site
the former is ``repository/README.md``. A link to a file that is no page becomes its text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
ALWAYS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^]]*)\]\((?!https?:|#)(?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)")


POLICY = (
    "default-src 'self' file: data:; script-src 'self' file: 'unsafe-inline'; style-src 'self' file: 'unsafe-inline'; "
    "worker-src 'self' file: blob:"
)
"""The browser loads nothing from elsewhere, whatever the theme's script would fetch for old browsers."""


def place(path: str) -> str:
    """Where a text of the repository is in the site."""
    return path.removeprefix("docs/") if path.startswith("docs/") else f"repository/{path}"


def outside_links(path: str) -> set[str]:
    """The texts outside of docs/ that a text of the repository links to."""
    text = (ROOT / path).read_text(encoding="utf-8")
    found = {
        posixpath.normpath(posixpath.join(posixpath.dirname(path), link["target"])) for link in _LINK.finditer(text)
    }
    return {one for one in found if one.endswith(".md") and not one.startswith("docs/") and (ROOT / one).is_file()}


def with_links_of_site(path: str, text: str) -> str:
    """The text of a page of the repository with the links that it has in the site."""

    def link(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), match["target"]))
        if not target.startswith("docs/") and not target.endswith(".md"):
            return match["text"]
        there = posixpath.relpath(place(target), posixpath.dirname(place(path)) or ".")
        return f"{match['image']}[{match['text']}]({there}{match['anchor'] or ''})"

    return _LINK.sub(link, text)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put pages that mkdocs.yml does not name at the end of the navigation, so that none is lost."""
    named = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    left = [path.name for path in sorted((ROOT / "docs").glob("*.md")) if f": {path.name}" not in named]
    if left and config.nav is not None:
        config.nav.append({"More": left})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that others link to, and those that they link to."""
    waiting = {*ALWAYS, *(link for path in (ROOT / "docs").glob("*.md") for link in outside_links(f"docs/{path.name}"))}
    added: set[str] = set()
    while waiting := waiting - added:
        added |= waiting
        waiting = set().union(*map(outside_links, waiting))
    for path in sorted(added):
        text = (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, place(path), content=with_links_of_site(path, text)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Turn the links of a page in docs/ into those of the site."""
    if page.file.src_uri.startswith("repository/"):
        return markdown
    return with_links_of_site(f"docs/{page.file.src_uri}", markdown)


def with_policy(text: str) -> str:
    """An HTML page with the policy in its head."""
    return text.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{POLICY}">', 1)


def on_post_page(output: str, **_: object) -> str:
    """Put the policy into a page."""
    return with_policy(output)


def on_post_template(output_content: str, template_name: str, **_: object) -> str:
    """Put the policy into the page that is shown where there is none."""
    return with_policy(output_content) if template_name.endswith(".html") else output_content
