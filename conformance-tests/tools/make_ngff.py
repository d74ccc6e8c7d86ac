#!/usr/bin/env python3
"""Bundles the JSON schemas and the test cases of the NGFF specification for shardkit-ome.

    make_ngff.py CLONE      a clone of https://github.com/ome/ngff-spec (CC-BY-4.0) with its branches

Writes, for each version, schemas-VERSION.json into the resources of formats/ome and cases-VERSION.json into those of
its tests. Only the framing is changed: many files become one, and descriptions are left out.
"""
import json
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2] / "formats/ome/src"
PACKAGE = "resources/dev/shardkit/ome/validation"
BRANCHES = {"0.4": "0.4", "0.5": "0.5", "0.6rc0": "main"}
SOURCE = "From https://github.com/ome/ngff-spec, commit {}, under CC-BY-4.0 (https://creativecommons.org/licenses/by/4.0/)"


def git(clone, *words):
    return subprocess.run(["git", "-C", clone, *words], check=True, capture_output=True, text=True).stdout


def files(clone, branch, folder):
    for name in git(clone, "ls-tree", "-r", "--name-only", branch, folder).splitlines():
        yield name, git(clone, "show", f"{branch}:{name}")


def plain(schema):
    """The schema without what only people read."""
    if isinstance(schema, list):
        return [plain(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    texts = {k for k in ("description", "$comment", "title", "$schema") if isinstance(schema.get(k), str)}
    return {k: plain(v) for k, v in schema.items() if k not in texts}


def suites(clone, branch):
    """The cases of 0.4 and 0.5: lists of attributes."""
    for name, text in files(clone, branch, "tests"):
        if name.endswith("_suite.json"):
            suite = json.loads(text)
            for case in suite["tests"]:
                yield {"name": f"{Path(name).stem}/{Path(str(case['formerly'])).name.removesuffix('.json')}",
                       "strict": "strict" in name, "valid": case["valid"], "text": json.dumps(case["data"], separators=(",", ":"))}


def compact(text):
    """The document without spaces. Two cases are no JSON; they stay as they are."""
    try:
        return json.dumps(json.loads(text), separators=(",", ":"))
    except json.JSONDecodeError:
        return text


def trees(clone, branch):
    """The cases of 0.6: files of attributes, and documents of groups."""
    for name, text in files(clone, branch, "tests"):
        words = name.split("/")
        if words[1] not in ("attributes", "zarr") or not name.endswith(".json"):
            continue
        yield {"name": "/".join(words[1:]).removesuffix("/zarr.json").removesuffix(".json").removesuffix(".ome.zarr"),
               "strict": words[2] == "strict", "valid": words[3] == "valid", "text": compact(text)}


def main(clone):
    for version, branch in BRANCHES.items():
        source = SOURCE.format(git(clone, "rev-parse", branch).strip())
        schemas = {}
        for name, text in files(clone, branch, "schemas"):
            if name.endswith(".schema"):
                schema = json.loads(text)
                schemas[schema["$id"]] = plain(schema)
        cases = list(trees(clone, branch) if branch == "main" else suites(clone, branch))
        for folder, name, content in (("main", "schemas", {"schemas": schemas}), ("test", "cases", {"cases": cases})):
            target = HOME / folder / PACKAGE / f"{name}-{version}.json"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(json.dumps({"source": source, **content}, separators=(",", ":")) + "\n")
            print(target.name, len(content[name]), target.stat().st_size)


if __name__ == "__main__":
    main(sys.argv[1])
