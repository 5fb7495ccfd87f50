# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""The names and snippets of the reference libraries' pages: a part of scripts/checks/api-names and scripts/checks/reference-snippets.

A page is text without code fences, so only certain matches count: declarations after `public`, and the members of a public enum or
protocol; a member at the beginning of a line that has no body; a type's name on a line of its own, in a box of a diagram or of a
file; a member of `Plugins`; a type with its library's prefix; and a type of an example that conforms to a protocol of the library.
"""
import re

KINDS = "struct|class|enum|protocol|actor|typealias|associatedtype|func|var|let|case"
DECLARED = re.compile(rf"(?<![\w.])({KINDS})\s+([A-Za-z_]\w*)")
# A member without a body. A `let` belongs to an example, and an unfinished parameter list to a function of an example.
MEMBER = re.compile(
    r"(?:@\w+ |mutating |static )*"
    r"(?:(?:var|associatedtype) (\w+): [^={]*(?:\{ get (?:set )?\})?|func (\w+)[(<][^{]*[^{,(])$")
# A line `name: Type` that is not an argument.
PROPERTY = re.compile(r"([a-z]\w*): [\[(A-Z][^.]*(?<![\[(,])$")
TYPE = re.compile(r"(?!(\w+)\1$)(?P<type>(?:[A-Z]+[a-z0-9]+){2,}|[A-Z]{2,}[a-z]\w*)(?: protocol| \|)?$")
BOX = re.compile(r"\w+\[(\w+)<br/>")
PLUGIN = re.compile(r"\bPlugins\.(\w+)")
FILE = re.compile(r"(?<![\w+])(?!Package\.)([A-Z]\w+)\.swift\b")
PREFIXES = {"simplenetworking": re.compile(r"\b((?:API|HTTPStub)[A-Z]\w+)")}
EXAMPLE = re.compile(r"(?<!\w)(?:struct|class|enum|actor)\s+(\w+)\s*:\s*(\w+)")


def declared(text, known, library=""):
    """Returns each name of a page with its first line; `known` are the names with a row in docs/names.md."""
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
            if name.lower() != library:  # The library's own name is not a type.
                found.setdefault(name, number)
    return found


def missing(folder, page):
    """Returns the names of a folder's pages that have no row in our page, and the number of names."""
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


# The positions at which a line continues with the next block or with prose, because the page lost its line breaks.
GLUE = re.compile(r"(?<=[)}])(?=(?:let|struct|do\{|for |client\.|manager|connection\.|apiClient|//|[A-Z|]|flowchart|close\(\) is))")
PROSE = re.compile(r"\||flowchart|close\(\) is|[A-Z][\w-]*:? [A-Za-z.]")
SWIFT = re.compile(
    r"(?:import|let|var|struct|func|guard|switch|do \{|\} catch|for (?:try )?await|#if|#else|#endif) ?\b|case \.\w+.*:|"
    r"\.(?:sink|store|receive|add\w+|build)\(|(?:client|manager|connection|monitor|sub)\.\w+\(|\}")


def squeezed(code):
    """Returns Swift code without white space, comments and trailing commas."""
    code = "\n".join(re.sub(r"(?<!:)//.*", "", line) for line in code.splitlines())
    return re.sub(r",(?=[\])])", "", re.sub(r"\s+", "", code))


def lines(text):
    """Returns the numbers of `3-5` or `4`."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def uncompiled(page, table, tests):
    """Returns the errors in a table of a page's blocks, and its number of lines; `tests` has the text of each test file."""
    homes, spared, wrong, used = {}, {}, [], set()
    for entry in table.splitlines():
        words = entry.split()
        if not words or entry.startswith("#"):
            continue
        if words[0] in ("changed", "refused"):
            numbers, _, why = entry.split(" ", 1)[1].partition(":")
            if not why.strip():
                wrong.append(f"{entry!r} has no reason")
            spared.update({number: words[0] for number in lines(numbers)})
            continue
        for name in words[1:]:
            if name not in tests:
                wrong.append(f"{name}.swift does not exist, for lines {words[0]}")
        for number in lines(words[0]):
            homes.setdefault(number, []).extend(words[1:])
    held = {name: squeezed(text) for name, text in tests.items()}
    page = page.splitlines()
    for number, line in enumerate(page, 1):
        if number not in homes:
            if SWIFT.match(line) and number not in spared:
                wrong.append(f"line {number} is in no block: {line}")
            continue
        for part in GLUE.split(line):
            code = squeezed(part).rstrip(",")
            if not code or code == "}" or PROSE.match(part):
                continue
            if any(code in held.get(name, "") for name in homes[number]):
                continue
            used.add(number)
            if number not in spared:
                wrong.append(f"line {number} is not in {' or '.join(homes[number])}: {part}")
    for number, kind in spared.items():
        if number > len(page) or (kind == "changed" and number not in homes):
            wrong.append(f"line {number} is in no block, but marked as changed")
    wrong += [f"line {number} is marked as changed, but a test contains it"
              for number in sorted(number for number, kind in spared.items() if kind == "changed" and number in homes and
                                   number not in used) if squeezed(page[number - 1]) not in ("", "}", "switcherror{")]
    return wrong, len(homes)
