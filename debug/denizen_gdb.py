"""Shows denizen's values in gdb:

    (gdb) source /usr/local/share/denizen/denizen_gdb.py
    (gdb) print ship
    $1 = E:1-256[1] alive {Position, Velocity} "sol.earth"
    (gdb) print $dz(ship, world)

$dz is for a handle in any variable, and for worlds of the 32-bit layout, whose handles don't say which world is theirs.
"""

import os
import sys

import gdb
import gdb.printing

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import denizen_inspect as inspect


class Settings:
    """While it lasts, a call runs the current thread only, is undone if it goes wrong, and is read as C."""

    WANTED = {"scheduler-locking": "on", "unwindonsignal": "on", "language": "c"}

    def __enter__(self):
        self.were = {}
        for name, value in self.WANTED.items():
            was = gdb.parameter(name)
            was = {True: "on", False: "off"}.get(was, was)
            try:
                gdb.execute("set %s %s" % (name, value), to_string=True)
                self.were[name] = was
            except gdb.error:
                pass  # not every target can lock threads

    def __exit__(self, *_):
        for name, value in self.were.items():
            gdb.execute("set %s %s" % (name, value), to_string=True)


class Process(inspect.Process):
    """The program that gdb has at hand."""

    places = {}  # of a process, by its id

    def call(self, name, result, arguments):
        if not self.lives():
            return None
        types = ", ".join(of for of, _ in arguments)
        values = ", ".join("(%s) %d" % argument for argument in arguments)
        try:
            with Settings():
                return int(gdb.parse_and_eval("((%s (*)(%s)) %s)(%s)" % (result, types, name, values)))
        except gdb.error:
            return None

    def lives(self):
        """Not a core file, and stopped where a function can be called."""
        thread = gdb.selected_thread()
        return thread is not None and thread.is_valid() and thread.is_stopped() and not self.is_core()

    @staticmethod
    def is_core():
        return "core" in (gdb.execute("info target", to_string=True) or "").split("Local exec file")[0].lower()

    def scratch(self):
        pid = gdb.selected_inferior().pid
        if pid not in self.places:
            # Pages of its own: malloc may be in the middle of something.
            at = [("void *", 0), ("unsigned long", inspect.SCRATCH), ("int", 3), ("int", 0x22), ("int", -1), ("long", 0)]
            place = self.call("mmap", "void *", at)
            if place is None or place % inspect.SCRATCH != 0:
                return None
            self.places[pid] = place
        return self.places[pid]

    def read(self, address, size):
        try:
            return bytes(gdb.selected_inferior().read_memory(address, size))
        except gdb.error:
            return None


class Printer:
    """One value, shown as text."""

    def __init__(self, show, value):
        self.show, self.value = show, value

    def to_string(self):
        return self.show(Process(), self.value)


def batch(process, value):
    names = ("count", "entity_size", "gather", "term_count", "status", "entities")
    fields = {name: int(value[name]) for name in names}
    fields["picks"] = lambda i: int(value["picks"][i])
    return inspect.batch(process, fields)


SHOWN = {
    "dz_entity": lambda process, value: inspect.handle(process, int(value)),
    "dz_id": lambda process, value: inspect.handle(process, int(value)),
    "dz_world": lambda process, value: inspect.world(process, int(value["bits"])),
    "dz_status": lambda process, value: inspect.status(process, int(value)),
    "dz_iter": batch,
}


def find(value):
    """The printer of a value, by the name of its type as the program declares it."""
    show = SHOWN.get(value.type.unqualified().name)
    return Printer(show, value) if show else None


find.name, find.enabled = "denizen", True


class Dz(gdb.Function):
    """$dz(handle [, world]): what a handle means, as a text."""

    def __init__(self):
        super().__init__("dz")

    def invoke(self, bits, world=None):
        number = 0 if world is None else int(world["bits"])
        return inspect.handle(Process(), int(bits) & (1 << 64) - 1, number)


Dz()
gdb.printing.register_pretty_printer(None, find, replace=True)
