"""Puts into the site what lies outside docs/: the README as its home, other Markdown pages, and the API documentation."""

import logging
import os
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
API = ROOT / "target" / "api-docs"
# a page of the site: the file that it is made of
PAGES = {"index.md": "README.md"} | {
    page: page
    for page in (
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "benchmarks/README.md",
        "benchmarks/RESULTS.md",
        "benchmarks/lab/README.md",
    )
}
LINK = re.compile(r"\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
log = logging.getLogger("mkdocs.hooks.shardkit")


def on_files(files, config):
    for page, source in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    for kind in ("javadoc", "kotlin"):
        if not (API / kind / "index.html").exists():
            if not os.environ.get("SHARDKIT_PAGES_ONLY"):
                log.warning("%s is not there: docs/build.sh makes it", API / kind)
            files.append(File.generated(config, f"{kind}/index.html", content="Not built: run docs/build.sh"))
        for path in sorted(p for p in (API / kind).rglob("*") if p.is_file() and p.suffix != ".md"):
            name = path.relative_to(API).as_posix()
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links are written for the repository; here pages from outside docs/ have other places."""
    name = page.file.src_uri
    folder = posixpath.dirname(PAGES.get(name, posixpath.join("docs", name)))

    def site(link):
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        in_site = next((p for p, source in PAGES.items() if source == target), None)
        if in_site is None and target.startswith("docs/"):
            in_site = target.removeprefix("docs/")
        if in_site is None and (ROOT / target).exists():
            return link[1]  # a file of the repository, which is not in the site
        place = posixpath.relpath(in_site or target, posixpath.dirname(name) or ".")
        return f"[{link[1]}]({place}{link[3] or ''})"

    return LINK.sub(site, markdown)
