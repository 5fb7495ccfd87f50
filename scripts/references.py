# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""What the pages of the reference libraries name as theirs: a part of scripts/names.

A page is text without fences, so only what is certain is taken: what stands behind `public`, and the members of a public enum or
protocol; a member at the beginning of a line that has no body; a type's name that is a line of its own, a box of a diagram or a
file; a built-in of `Plugins`; a type by its library's prefix; and one of an example that conforms to a protocol of the library.
"""
import re

KINDS = "struct|class|enum|protocol|actor|typealias|associatedtype|func|var|let|case"
DECLARED = re.compile(rf"(?<![\w.])({KINDS})\s+([A-Za-z_]\w*)")
# A member without a body; a `let` is an example's, and a list of parameters that goes on is somebody's function.
MEMBER = re.compile(
    r"(?:@\w+ |mutating |static )*"
    r"(?:(?:var|associatedtype) (\w+): [^={]*(?:\{ get (?:set )?\})?|func (\w+)[(<][^{]*[^{,(])$")
# A line that says `name: Type`, and is no argument.
PROPERTY = re.compile(r"([a-z]\w*): [\[(A-Z][^.]*(?<![\[(,])$")
TYPE = re.compile(r"(?!(\w+)\1$)(?P<type>(?:[A-Z]+[a-z0-9]+){2,}|[A-Z]{2,}[a-z]\w*)(?: protocol| \|)?$")
BOX = re.compile(r"\w+\[(\w+)<br/>")
PLUGIN = re.compile(r"\bPlugins\.(\w+)")
FILE = re.compile(r"(?<![\w+])(?!Package\.)([A-Z]\w+)\.swift\b")
PREFIXES = {"simplenetworking": re.compile(r"\b((?:API|HTTPStub)[A-Z]\w+)")}
EXAMPLE = re.compile(r"(?<!\w)(?:struct|class|enum|actor)\s+(\w+)\s*:\s*(\w+)")


def declared(text, known, library=""):
    """Each name that a page gives, with the line where it does so first; `known` are the names that we have rows for."""
    found, inside = {}, 0
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split("//")[0].rstrip()
        names = []
        heads = DECLARED.search(code)
        if heads and (inside or re.match(r"\s*public\s", code)):
            names.append(heads.group(2))
        elif not inside:
            for pattern in (MEMBER, PROPERTY, TYPE):
                match = pattern.match(code)
                if match:
                    names += [match.group("type")] if pattern is TYPE else [name for name in match.groups() if name]
                    break
        if inside or re.match(r"\s*public (?:enum|protocol)\b", code):
            inside = max(0, inside + code.count("{") - code.count("}"))
        names += BOX.findall(code) + PLUGIN.findall(code) + FILE.findall(code)
        if library in PREFIXES:
            names += PREFIXES[library].findall(code)
        names += [name for name, conforms in EXAMPLE.findall(code) if conforms in known]
        for name in names:
            if name.lower() != library:  # The library's own name, where no type has it.
                found.setdefault(name, number)
    return found


def missing(folder, page):
    """What the pages of a folder name, and no row of our page of names has on its left; and how many names were looked up."""
    lost, count = [], 0
    for path in sorted(folder.glob("*.txt")):
        section = re.search(rf"(?ims)^## {path.stem}$(.*?)(?=^## |\Z)", page)
        if not section:
            lost.append(f"{path.name} has no section in docs/names.md")
            continue
        left = " ".join(line.split("|")[1] for line in section.group(1).splitlines() if line.startswith("| "))
        known = {name for code in re.findall(r"`([^`]+)`", left) for name in re.findall(r"\w+", code)}
        names = declared(path.read_text(), known, path.stem)
        count += len(names)
        lost += [f"{path.name}:{line} names {name}, which docs/names.md has no row for"
                 for name, line in names.items() if name not in known]
    return lost, count
