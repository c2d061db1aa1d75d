"""Shows denizen's values in lldb:

    (lldb) command script import /usr/local/share/denizen/denizen_lldb.py
    (lldb) frame variable ship
    (dz_entity) ship = E:1-256[1] alive {Position, Velocity} "sol.earth"
"""

import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import denizen_inspect as inspect

TYPES = {"handle": "dz_entity dz_id", "world": "dz_world", "status": "dz_status", "batch": "dz_iter"}


class Process(inspect.Process):
    """The program that a value is of."""

    places = {}  # of a process, by its id

    def __init__(self, value):
        self.process, self.frame = value.GetProcess(), value.GetFrame()
        if not self.frame.IsValid():
            self.frame = self.process.GetSelectedThread().GetSelectedFrame()

    def call(self, name, result, arguments):
        if not self.frame.IsValid():
            return None
        # One thread, no breakpoints, undone if it goes wrong.
        options = lldb.SBExpressionOptions()
        options.SetIgnoreBreakpoints(True)
        options.SetUnwindOnError(True)
        options.SetTryAllThreads(False)
        options.SetStopOthers(True)
        options.SetTimeoutInMicroSeconds(1000000)
        types = ", ".join(of for of, _ in arguments)
        values = ", ".join("(%s) %d" % argument for argument in arguments)
        # By its address: what the library's own debug information says of its functions is no C.
        # A program that calls it has a symbol of that name too, which is nowhere.
        target = self.process.GetTarget()
        places = [found.symbol.addr.GetLoadAddress(target) for found in target.FindSymbols(name)]
        place = next((place for place in places if place not in (0, lldb.LLDB_INVALID_ADDRESS)), None)
        if place is None:
            return None
        call = "((%s (*)(%s)) %d)(%s)" % (result, types, place, values)
        found = self.frame.EvaluateExpression(call, options)
        if not found.GetError().Success():
            return None
        signed = found.GetValueAsSigned()
        return signed if result == "int" else found.GetValueAsUnsigned()

    def scratch(self):
        key = self.process.GetUniqueID()
        if key not in self.places:
            error = lldb.SBError()
            access = lldb.ePermissionsReadable | lldb.ePermissionsWritable
            place = self.process.AllocateMemory(inspect.SCRATCH, access, error)
            if not error.Success() or place == lldb.LLDB_INVALID_ADDRESS:
                return None
            self.places[key] = place
        return self.places[key]

    def read(self, address, size):
        error = lldb.SBError()
        found = self.process.ReadMemory(address, size, error)
        return found if error.Success() else None


def field(value, name):
    return value.GetChildMemberWithName(name).GetValueAsUnsigned()


def handle(value, _):
    return inspect.handle(Process(value), value.GetValueAsUnsigned())


def world(value, _):
    return inspect.world(Process(value), field(value.GetNonSyntheticValue(), "bits"))


def status(value, _):
    return inspect.status(Process(value), value.GetValueAsSigned())


def batch(value, _):
    value = value.GetNonSyntheticValue()
    fields = {name: field(value, name) for name in ("count", "entity_size", "gather", "term_count", "entities")}
    fields["status"] = value.GetChildMemberWithName("status").GetValueAsSigned()
    picks = value.GetChildMemberWithName("picks")
    fields["picks"] = lambda i: picks.GetChildAtIndex(i).GetValueAsUnsigned()
    return inspect.batch(Process(value), fields)


def __lldb_init_module(debugger, _):
    for function, types in TYPES.items():
        debugger.HandleCommand(
            "type summary add --no-value --python-function %s.%s %s" % (__name__, function, types)
        )
