# Simorgh, networking for Swift.
# Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT
"""The public names in Sources, by type: a part of scripts/checks/api-names. Parses only as much Swift as that needs."""
import pathlib
import re

TYPES = {"struct", "class", "enum", "protocol", "actor", "extension"}
DECLARATION = re.compile(
    r"((?:\b[a-z]\w*(?:\(\w+\))?\s+)*?)\b(struct|class|enum|protocol|actor|extension|typealias|associatedtype|func|var|let|case)"
    r"\s+(`?[A-Za-z_][\w.]*`?)([^{};\n]*)|([{}])")


def bare(text):
    """Returns the text without comments and strings, with the same lines."""
    out, place, end = [], 0, len(text)

    def string(place):
        hashes = len(re.match(r"#*", text[place:]).group())
        quote = '"""' if text.startswith('"""', place + hashes) else '"'
        close, escape = quote + "#" * hashes, "\\" + "#" * hashes
        place += hashes + len(quote)
        while place < end and not text.startswith(close, place):
            if text.startswith(escape + "(", place):
                place, depth = place + len(escape) + 1, 1
                while depth and place < end:
                    if re.match(r'#*"', text[place : place + 4]):
                        place = string(place)
                        continue
                    depth += {"(": 1, ")": -1}.get(text[place], 0)
                    place += 1
            else:
                place += len(escape) + 1 if text.startswith(escape, place) else 1
        return place + len(close)

    while place < end:
        if text.startswith("//", place):
            place = text.find("\n", place) if "\n" in text[place:] else end
        elif text.startswith("/*", place):
            place = text.find("*/", place) + 2
        elif re.match(r'#*"', text[place : place + 4]):
            begin, place = place, string(place)
            out.append('""' + "\n" * text.count("\n", begin, place))
        else:
            out.append(text[place])
            place += 1
    return "".join(out)


class Interface:
    """The public names."""

    def __init__(self, folder="Sources"):
        self.members, self.above, self.all = {}, {}, set()
        for path in sorted(pathlib.Path(folder).rglob("*.swift")):
            self.read(bare(path.read_text()))

    def read(self, text):
        scopes, pending = [], None
        for match in DECLARATION.finditer(text):
            modifiers, kind, name, rest, brace = match.groups()
            if brace == "{":
                scopes.append(pending)
                pending = None
                continue
            if brace == "}":
                if scopes:
                    scopes.pop()
                pending = None
                continue
            pending = None
            # A declaration in a function is not public, and "class func" is not a class.
            if None in scopes or (kind == "class" and name in {"func", "var"}):
                continue
            name = name.strip("`")
            outer = ".".join(scope[0] for scope in scopes)
            # Cases and protocol requirements are as public as their type.
            whole = scopes[-1] if scopes and (kind == "case" or scopes[-1][1] == "protocol") else None
            is_public = whole[2] if whole else bool(re.search(r"\b(public|open)\s", modifiers))
            if kind in TYPES:
                path = f"{outer}.{name}".strip(".")
                pending = (name, kind, is_public)
                heirs = re.match(r"[^:]*?(?:<[^>]*>)?\s*:\s*([^{]*)", rest)
                if heirs:
                    self.above.setdefault(path.split(".")[-1], set()).update(
                        one.strip().split(".")[-1] for one in re.split(r"[,&]|\bwhere\b.*", heirs.group(1)) if one.strip())
            if kind == "extension" or not is_public:
                continue
            names = [name]
            if kind == "case":
                flat = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", name + rest))
                names = [one.strip().split(" ")[0].strip("`") for one in re.sub(r"=[^,]*", "", flat).split(",")]
            for one in names:
                if re.fullmatch(r"\w+", one):
                    self.all.add(one)
                    self.members.setdefault(outer, set()).add(one)

    def has(self, owner, member, seen=()):
        """Returns true if a type, given by the end of its path, declares or inherits a member."""
        short = owner.split(".")[-1]
        if any((path == owner or path.endswith("." + owner)) and member in names for path, names in self.members.items()):
            return True
        return any(
            one not in seen and self.has(one, member, (*seen, short)) for one in self.above.get(short, ()))

    def knows(self, name):
        """Returns true if a name exists: that of a type, or `Type.member`."""
        owner, _, member = name.rpartition(".")
        return self.has(owner, member) if owner else name in self.members[""]

    def owners(self, member):
        """Returns the types with a member of the name."""
        return sorted(path for path, names in self.members.items() if path and member in names)
