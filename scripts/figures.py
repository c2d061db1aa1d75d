#!/usr/bin/env python3
"""Writes the tables of README.md, between its marks, from bench/figures.json; with --check it only compares.

figures.json is the bench's results.json of a complete run; or of several runs, complete or not, on one machine:

    python3 scripts/figures.py --of run.json another_run.json ...

writes figures.json, each row of the run that was least disturbed in it: where all contenders together took the least time.
"""
import json
import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = ROOT / "bench/figures.json"
BEGIN, END = "<!-- tables:begin -->", "<!-- tables:end -->"
PEERS = ["flecs", "hecs", "bevy_ecs", "sparsey", "entt_standin"]
NAMES = ["Flecs", "hecs", "bevy_ecs", "sparsey", "EnTT stand-in"]
# What isn't a time of an operation, or has nothing to be compared with: the bench's own tables have these.
LEFT_OUT = {"0", "mem", "alloc", "3m", "3mk", "14am", "14t", "14tm", "l"}
WAYS = [("DZ_AT", ["at"]), ("led", ["led_at"]), ("runs", ["runs"]), ("kept", ["kept_at", "kept_runs"]),
        ("group", ["group_at", "group_runs"])]


def quietest(runs):
    """Each row of the run in which the times of all contenders, multiplied, are the least; in the order of the first run."""
    found = {}
    for number, run in enumerate(runs):
        for one in run:
            # Row 3k is compared with row 3: they are of one run.
            row = "3" if one["row"] == "3k" else one["row"]
            found.setdefault((row, one["n"]), {}).setdefault(number, []).append(one)

    def taken(several):
        times = [time for one in several for time in [one.get("ns", one.get("bytes")), *one["peers"].values()]]
        return sum(math.log(time) for time in times if time)

    def pick(several):
        most = max(map(len, several))
        return min((ones for ones in several if len(ones) == most), key=taken)

    picked = [one for several in found.values() for one in pick(several.values())]
    order = {(one["row"], one["n"], one["layout"]): place for place, one in enumerate(runs[0])}
    return sorted(picked, key=lambda one: order.get((one["row"], one["n"], one["layout"]), len(order)))


def number(value):
    return "-" if value is None else str(int(float(text))) if "e" in (text := f"{value:.3g}") else text


def missed(both):
    """The goals that a row misses, and in which layout, if in one only."""
    all_misses = {one["layout"]: one.get("misses") for one in both}
    if all(misses is None for misses in all_misses.values()):
        return "-"
    words = []
    for word in sorted({word for misses in all_misses.values() for word in misses or []}):
        where = [layout for layout, misses in all_misses.items() if word in (misses or [])]
        words.append(word if len(where) == len(both) else f"{word} ({where[0]})")
    return ", ".join(words)


def table(columns, rows):
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    return lines + [f"| {' | '.join(cells)} |" for cells in rows]


def kind(result):
    return "tree" if result["row"].startswith("14") else "query" if "matches" in result else "operation"


class Results:
    def __init__(self, results):
        self.results = [one for one in results if one["row"] not in LEFT_OUT]

    def rows(self, wanted, n):
        """Both layouts of each row of a kind, in the order of the bench."""
        found = {}
        for one in self.results:
            if one["n"] == n and kind(one) == wanted:
                found.setdefault(one["row"], []).append(one)
        return list(found.values())

    def operations(self, n):
        columns = ["row", "", "64-bit", "32-bit", *NAMES, "best behind a C ABI", "missed"]
        rows = []
        for both in self.rows("operation", n):
            one = both[0]
            wall = one.get("best_wall")
            ours = {each["layout"]: each.get("ns") for each in both}
            rows.append([one["row"], one["what"], number(ours.get(64)), number(ours.get(32)),
                         *(number(one["peers"].get(peer)) for peer in PEERS), number(wall and wall["ns"]), missed(both)])
        return table(columns, rows)

    def trees(self):
        columns = ["row", "", "64-bit", "32-bit", "Flecs", "bevy_ecs", "by hand", "missed"]
        rows = []
        for both in self.rows("tree", 100_000):
            one = both[0]
            ours = {each["layout"]: each.get("ns") for each in both}
            rows.append([one["row"], one["what"], number(ours.get(64)), number(ours.get(32)),
                         *(number(one["peers"].get(peer)) for peer in ("flecs", "bevy_ecs", "entt_standin")), missed(both)])
        return table(columns, rows)

    def queries(self, n):
        columns = ["row", "", "floor", *(name for name, _ in WAYS), *NAMES, "missed"]
        rows = []
        for both in self.rows("query", n):
            one = next(each for each in both if each["layout"] == 64)
            ways = one.get("ways", {"at": one.get("ns")})
            best = [min((ways[way] for way in ours if way in ways), default=None) for _, ours in WAYS]
            rows.append([one["row"], one["what"], number(one.get("floor")), *map(number, best),
                         *(number(one["peers"].get(peer)) for peer in PEERS), missed(both)])
        return table(columns, rows)


def tables():
    results = Results(json.loads(FIGURES.read_text()))
    parts = [
        ("10,000 entities, ns per operation:", results.operations(10_000)),
        ("1,000,000 entities, ns per operation:", results.operations(1_000_000)),
        ("Pairs and the hierarchy, 100,000 entities, ns per operation. *By hand*: an intrusive list in a component of the EnTT "
         "stand-in.", results.trees()),
        ("Queries, 10,000 entities, 64-bit layout, ns per match (13q, r1: per query, per change; s1 to s3, o1: per entity; g1 to g3: per "
         "change):", results.queries(10_000)),
        ("Queries, 1,000,000 entities:", results.queries(1_000_000)),
    ]
    return "\n\n".join(title + "\n\n" + "\n".join(lines) for title, lines in parts)


def main():
    if "--of" in sys.argv:
        runs = [json.loads(pathlib.Path(run).read_text()) for run in sys.argv[sys.argv.index("--of") + 1:]]
        lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in quietest(runs))
        FIGURES.write_text(f"[\n{lines}\n]\n")
    path = ROOT / "README.md"
    text = path.read_text()
    head, _, rest = text.partition(BEGIN)
    _, _, tail = rest.partition(END)
    if not tail:
        sys.exit(f"README.md has no {BEGIN} and {END}")
    wanted = f"{head}{BEGIN}\n\n{tables()}\n\n{END}{tail}"
    if "--check" in sys.argv:
        if wanted != text:
            sys.exit("README.md's tables aren't those of bench/figures.json: python3 scripts/figures.py")
    else:
        path.write_text(wanted)


if __name__ == "__main__":
    main()
