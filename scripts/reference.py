#!/usr/bin/env python3
"""What Doxygen can't know of the headers. ./reference runs it; each way prints what Doxygen reads, or fails and says why.

    reference.py filter HEADER    the header with each item put into the group of its area (the file of src/ffi that
                                  it is from), and with each function an example: where a program uses it
    reference.py examples         the programs that the examples are from
    reference.py check HTML       whether each function has its example in what Doxygen wrote
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "include/denizen/denizen.h"
ITEM = re.compile(r"pub (?:unsafe )?(?:extern \"C\" )?(?:fn|struct|enum|type|const) ((?:dz|DZ)_\w+)")


def areas():
    """Of each public name the file of src/ffi that it is from."""
    of = {}
    for file in sorted((ROOT / "src/ffi").glob("*.rs")):
        for name in ITEM.findall(file.read_text()):
            of.setdefault(name, file.stem)
    return of


def groups():
    return set(re.findall(r"@defgroup (\w+)", (ROOT / "docs/reference.dox").read_text()))


def functions():
    return re.findall(r"^(?:DZ_API\n|DZ_API )[^;(]*?\b(dz_\w+)\(", HEADER.read_text(), re.M)


def filtered(lines, of, used):
    """Puts `@ingroup` at the end of each comment before an item; comments of the companion become Doxygen's."""
    companion = not any(line.startswith("///") for line in lines)
    known = set(of) | set(re.findall(r"\bDZ_[A-Z_0-9]+(?= = )", "\n".join(lines)))
    out = [linked(line, known) for line in lines]
    for at, line in enumerate(lines):
        name = re.match(r"(?:#define |enum |typedef struct |typedef .*?\(\*|typedef \w+ )((?:dz|DZ)_\w+)", line)
        if line.startswith("DZ_API"):
            name = re.search(r"\b(dz_\w+)\(", " ".join(lines[at : at + 3]))
        if companion:
            name = re.match(r"(?:#define |static inline .*?)((?:dz|DZ)_\w+)(?=\(| )", line)
        if name is None or name.group(1) == "DZ_API":
            continue
        group = "inline" if companion else of.get(name.group(1))
        if group is None:
            sys.exit("%s is in the header, but not in src/ffi" % name.group(1))
        if group not in groups():
            sys.exit("docs/reference.dox has no group for src/ffi/%s.rs" % group)
        if companion and lines[at - 1].rstrip().endswith("*/"):
            begin = max(i for i in range(at) if lines[i].startswith("/*"))
            out[begin] = "/**" + out[begin][2:]
            out[at - 1] = out[at - 1].replace("*/", "@ingroup inline */")
        elif lines[at - 1].startswith("///"):
            out[at - 1] += " @ingroup " + group
            if line.startswith("DZ_API"):
                out[at - 1] += "\n" + "\n".join(example(name.group(1), used))
    return out


def linked(line, known):
    """A line of a comment with links: `dz_add`, where it is no code, is to lead to dz_add."""
    if re.match(r"/// {5}|///$", line) or not line.startswith("///"):
        return line
    parts = line.split("`")
    names = r"(?<![\w#@.])((?:dz|DZ)_\w+)\b(?!\()"
    parts[::2] = [re.sub(names, lambda m: "#" + m.group(1) if m.group(1) in known else m.group(1), text) for text in parts[::2]]
    return "`".join(parts)


def programs():
    """The example programs, those that are there to be read first; then the C tests."""
    folder = ROOT / "examples"
    rank = ["quickstart", "tour", "buffs", "orrery", "galaxies", "save"]
    examples = sorted(folder.rglob("*.c"), key=lambda file: (rank.index(file.relative_to(folder).parts[0].split(".")[0]), file))
    return examples + sorted((ROOT / "c_tests").glob("test_*.c"))


def uses():
    """Of each function the program that shows it, and where: the file, its first line and the text."""
    found = {}
    for file in programs():
        lines = file.read_text().splitlines()
        for at, line in enumerate(lines):
            for name in re.findall(r"\b(dz_\w+)\(", re.sub(r"\bDZ_(SET_PAIR|SET|GET|GET_MUT)\(", lambda macro: macro.group(0).lower(), line)):
                found.setdefault(name, (file, at + 1, statement(lines, at)))
    missing = set(functions()) - set(found)
    if missing:
        sys.exit("used in no example and no C test: " + ", ".join(sorted(missing)))
    return {name: found[name] for name in functions()}


def statement(lines, at):
    """The lines from one on until its parentheses are closed."""
    end, open_ = at, 0
    while end < len(lines):
        open_ += lines[end].count("(") - lines[end].count(")")
        end += 1
        if open_ <= 0:
            break
    indent = min(len(line) - len(line.lstrip()) for line in lines[at:end])
    return [line[indent:] for line in lines[at:end]]


def page(file):
    """How Doxygen calls the page of an example, and the file in the sources."""
    folder = ROOT / ("examples" if ROOT / "examples" in file.parents else "c_tests")
    inner = file.relative_to(folder).as_posix()
    name = inner.replace("/", "_2").replace(".", "_8")
    return inner, name + "-example.html", file.relative_to(ROOT).as_posix()


def example(name, used):
    """The lines of a comment that show a use."""
    file, line, text = used[name]
    _, html, path = page(file)
    yield "///"
    yield "/// @par Example"
    yield '/// <a href="%s#l%05d">%s</a>, line %d:' % (html, line, path, line)
    yield "/// @code{.c}"
    for one in text:
        yield "/// " + one.replace("*/", "* /") if one.count("*/") > one.count("/*") else "/// " + one
    yield "/// @endcode"


def check(html):
    """Each function has its example, and the link leads to a line that is there."""
    linked = set()
    for group in pathlib.Path(html).glob("group__*.html"):
        for item in group.read_text().split('<h2 class="memtitle">')[1:]:
            name = re.search(r"\b(dz_\w+)\(\)", item)
            link = re.search(r'Example</dt><dd><a [^>]*href="([^"#]*)#(l\d+)"', item)
            if name and link:
                target = pathlib.Path(html) / link.group(1)
                if not target.exists() or 'id="%s"' % link.group(2) not in target.read_text():
                    sys.exit("%s: the link leads nowhere: %s" % (name.group(1), link.group(0)))
                linked.add(name.group(1))
    bare = sorted(set(functions()) - linked)
    if bare:
        sys.exit("no example in the reference: " + ", ".join(bare))
    print("%d functions, each with an example" % len(linked))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["filter", header]:
            print("/** @file */ " + "\n".join(filtered(pathlib.Path(header).read_text().splitlines(), areas(), uses())))
        case ["examples"]:
            for file in sorted({file for file, _, _ in uses().values()}):
                print("/** @example{lineno} %s */" % page(file)[0])
        case ["check", html]:
            check(html)
        case _:
            sys.exit(__doc__)
