"""What the printers for gdb and lldb share: how denizen's values are shown. Knows no debugger.

A printer hands in a Process. What can be told from a value's own bits is told always, also of a core file; what the
library must be asked (does the entity live, what has it, where is it) only where the program can be called. The calls
are to functions that take no lock, keep no error and change nothing.
"""

import struct

# Room for an answer of the library.
SCRATCH = 4096

# The most entities of a batch that are listed.
LISTED = 8


class Process:
    """What is looked at; a debugger's printers make one with these three methods."""

    def call(self, name, result, arguments):
        """Calls a function of the library. `arguments` are pairs of a C type and an integer. None: it can't be."""
        raise NotImplementedError

    def scratch(self):
        """The address of SCRATCH bytes in the program that nobody else uses. None: there are none."""
        raise NotImplementedError

    def read(self, address, size):
        """Bytes of the program's memory. None: they can't be read."""
        raise NotImplementedError

    def text(self, address, size):
        """A text that ends with a zero, or None."""
        found = self.read(address, size) if address else None
        return found.split(b"\0")[0].decode("utf-8", "replace") if found else None


def print_form(handle):
    """A handle as dz_entity_text writes it."""
    if handle == 0:
        return "E:null"
    role = handle >> 56
    if role == 3:
        return "pair %#x" % handle
    prefix = "role %#04x | " % role if role else ""
    entity = handle & (1 << 56) - 1
    if entity >> 32 == 0:
        return "%sE:%d[%d]" % (prefix, entity & 0xFFFFF, entity >> 20)
    return "%sE:%d-%d[%d]" % (prefix, entity >> 48, entity & 0xFFFFFFFF, entity >> 32 & 0xFFFF)


def handle(process, bits, world=0):
    """A dz_entity or dz_id: E:1-256[1] alive {Position, Velocity} "sol.earth"."""
    place = process.scratch()
    if place is not None:
        arguments = [
            ("unsigned int", world),  # dz_world, which is one uint32_t
            ("unsigned long long", bits),
            ("char *", place),
            ("unsigned int", SCRATCH),
        ]
        length = process.call("dz_describe", "unsigned int", arguments)
        told = process.text(place, SCRATCH) if length else None
        if told:
            return told if length < SCRATCH else told + "..."
    return print_form(bits)


def world(process, bits):
    """A dz_world."""
    if bits == 0:
        return "no world"
    form = "W:%d" % (bits & 0xFFF)
    alive = process.call("dz_world_is_alive", "unsigned char", [("unsigned int", bits)])
    if alive is None:
        return form
    if not alive:
        return form + " not alive, or inside of a hook"
    place = process.scratch()
    known = None
    if place is not None:
        arguments = [("unsigned int", bits), ("void *", place)]
        if process.call("dz_world_stats", "int", arguments) == 0:
            known = process.read(place, struct.calcsize("=6I4Q"))
    if known is None:
        return form + " alive"
    entities, _, _, components, _, _, used, _, _, _ = struct.unpack("=6I4Q", known)
    return "%s alive, %d entities, %d components, %d bytes" % (form, entities, components, used)


def status(process, value):
    """A dz_status: DZ_ERR_DEAD (-12)."""
    place = process.call("dz_status_name", "char *", [("int", value)])
    name = process.text(place, 64) if place else None
    return "%s (%d)" % (name, value) if name else str(value)


def batch(process, fields):
    """A dz_iter, of whose fields `fields` has those that are read here as integers; `picks` is a function."""
    count, size = fields["count"], fields["entity_size"]
    kind = "gather" if fields["gather"] else "run"
    line = "%s of %d, %d terms, %s" % (kind, count, fields["term_count"], status(process, fields["status"]))
    if size not in (4, 8) or not fields["entities"]:
        return line
    shown = []
    for i in range(min(count, LISTED)):
        row = fields["picks"](i) if fields["gather"] else i
        found = process.read(fields["entities"] + row * size, size)
        if found is None:
            return line
        shown.append(print_form(int.from_bytes(found, "little")))
    more = ", ..." if count > LISTED else ""
    return "%s: %s%s" % (line, ", ".join(shown), more) if shown else line
