//! The library's statuses as one error set. Each DZ_ERR_NAME is error.Name; what is positive is an answer, no error.
const std = @import("std");
const c = @import("raw.zig");

/// Everything that the library can refuse; the header says what each function may return. The sentence that names
/// what was wrong with what: errorMessage().
pub const Error = error{
    NullPointer,
    WorldNull,
    WorldDead,
    WorldUnknown,
    WorldBroken,
    TooManyWorlds,
    NullEntity,
    Tombstone,
    Dead,
    NeverCreated,
    WrongWorld,
    Retired,
    Role,
    IsComponent,
    NotComponent,
    Duplicate,
    Occupied,
    Reserved,
    Size,
    Tag,
    Alignment,
    Shape,
    Name,
    Held,
    Builtin,
    NotElement,
    HookFailed,
    InHook,
    Listener,
    Policy,
    Group,
    Grouped,
    Owned,
    NotTerm,
    OutOfMemory,
    Budget,
    Full,
    Exhausted,
    Count,
    DescSize,
    DescTail,
    Enum,
    Range,
    Iter,
    Changed,
    Allocator,
    Instructions,
    Query,
    QueryLost,
    NoTerm,
    Order,
    Syntax,
    NotKept,
    NotSingle,
    NoPair,
    PairHeld,
    Cycle,
    Traits,
    Deep,
    Sibling,
    NoParent,
    NameTaken,
    NotHeld,
    Inherited,
    /// A status that this binding doesn't know: the library is newer.
    UnknownStatus,
    /// The binding's own: two slices that belong together have different lengths.
    LengthMismatch,
    /// The binding's own: the batch's field, or the pool, doesn't hold elements of that type.
    FieldType,
};

/// Errors that the library has no status for.
fn isOwn(comptime name: []const u8) bool {
    return std.mem.eql(u8, name, "UnknownStatus") or std.mem.eql(u8, name, "LengthMismatch") or
        std.mem.eql(u8, name, "FieldType");
}

/// The binding's own sentence of this thread, which is about `own`; or, if that is null, the library's and what else is known.
threadlocal var sentence: [512:0]u8 = @splat(0);
threadlocal var sentence_length: usize = 0;
threadlocal var own: ?Error = null;

fn say(comptime format: []const u8, args: anytype) void {
    var writer: std.Io.Writer = .fixed(&sentence);
    writer.print(format, args) catch {}; // what there is no room for is cut off
    sentence_length = writer.end;
    sentence[writer.end] = 0;
}

fn sayNothing() void {
    own = null;
    sentence_length = 0;
    sentence[0] = 0;
}

/// An error that the library knows nothing of, as a sentence: no older one of the library's is to be taken for it.
pub fn refuse(err: Error, comptime format: []const u8, args: anytype) Error {
    @branchHint(.cold);
    c.dz_error_clear();
    say(format, args);
    own = err;
    return err;
}

/// Of each error the name of its status: "DZ_ERR_NULL_POINTER" of error.NullPointer.
fn statusName(comptime name: []const u8) []const u8 {
    comptime {
        @setEvalBranchQuota(20_000);
        var text: []const u8 = "DZ_ERR";
        for (name) |letter| {
            if (std.ascii.isUpper(letter)) text = text ++ "_";
            text = text ++ .{std.ascii.toUpper(letter)};
        }
        return text;
    }
}

const names = @typeInfo(Error).error_set.error_names.?;

/// What a call came to, as the library says it.
pub const Status = c.dz_status;

/// The status that an error stands for; null for the binding's own.
pub fn statusOf(err: Error) ?Status {
    inline for (names) |name| {
        if (comptime isOwn(name)) continue;
        if (err == @field(Error, name)) return @field(Status, statusName(name));
    }
    return null;
}

/// The error that a status stands for; of DZ_OK and the answers none.
pub fn errorOf(status: Status) ?Error {
    if (@backingInt(status) >= 0) return null;
    inline for (names) |name| {
        if (comptime isOwn(name)) continue;
        if (status == @field(Status, statusName(name))) return @field(Error, name);
    }
    return error.UnknownStatus;
}

/// What a hook has failed with. The library knows only that it failed.
pub threadlocal var hook_error: ?anyerror = null;

/// The error to return for a status that is one.
fn errorFor(status: Status) Error {
    @branchHint(.cold);
    sayNothing();
    if (status == .DZ_ERR_HOOK_FAILED) if (hook_error) |why| {
        hook_error = null;
        say("{s}: error.{t}", .{ std.mem.span(c.dz_error_message()), why });
        if (why == error.OutOfMemory) return error.OutOfMemory;
    };
    return errorOf(status).?;
}

/// Returns the error if the status is one.
pub inline fn check(status: Status) Error!void {
    if (@backingInt(status) < 0) {
        @branchHint(.unlikely);
        return errorFor(status);
    }
}

/// As check; whether something was done. False: an answer, e.g. that it was so already.
pub inline fn done(status: Status) Error!bool {
    try check(status);
    return status == .DZ_OK;
}

/// This thread's last error as a sentence, e.g. "dz_get: entity E:1-256[1] is dead: its slot is now at generation 2";
/// "" if there was none. Each thread has its own. Good until the thread asks again, or its next error.
pub fn errorMessage() [:0]const u8 {
    const library = std.mem.span(c.dz_error_message());
    // Where a C function has failed since, the library's is the latest.
    const ours = sentence[0..sentence_length :0];
    return if (std.mem.startsWith(u8, ours, library)) ours else library;
}

/// This thread's last error.
pub fn lastError() ?Error {
    const status = c.dz_error_status();
    return if (status == .DZ_OK) own else errorOf(status);
}

/// Forgets it, and what a hook has failed with in a C function, which would be said of the next hook that fails.
pub fn clearError() void {
    hook_error = null;
    sayNothing();
    c.dz_error_clear();
}

/// What a failed call left, where its result alone says that it failed.
pub fn failure() Error {
    const status = c.dz_error_status();
    return if (status == .DZ_OK) error.UnknownStatus else errorFor(status);
}

fn Result(comptime function: anytype) type {
    return @typeInfo(@TypeOf(function)).@"fn".return_type.?;
}

fn isNothing(result: anytype) bool {
    return switch (@typeInfo(@TypeOf(result))) {
        .bool => !result,
        .int => result == 0,
        else => result == null,
    };
}

/// Calls a function that only reads, and whose null, zero or false may be an answer or an error.
pub inline fn ask(comptime function: anytype, args: anytype) Error!Result(function) {
    const result = @call(.auto, function, args);
    return if (isNothing(result)) askAgain(function, args, result) else result;
}

/// An answer leaves no error, but an older one may still stand there. So it is asked once more with a clean slate.
fn askAgain(comptime function: anytype, args: anytype, result: Result(function)) Error!Result(function) {
    if (c.dz_error_status() == .DZ_OK) return result;
    sayNothing();
    c.dz_error_clear();
    const second = @call(.auto, function, args);
    try check(c.dz_error_status());
    return second;
}

test "each status has its error, and each error its status" {
    @setEvalBranchQuota(2_000_000);
    inline for (@typeInfo(Status).@"enum".field_names) |name| {
        const status = @field(Status, name);
        if (@backingInt(status) >= 0) {
            try std.testing.expectEqual(null, errorOf(status));
        } else {
            const err = errorOf(status).?;
            try std.testing.expect(err != error.UnknownStatus);
            try std.testing.expectEqual(status, statusOf(err).?);
            try std.testing.expectEqualStrings(name, std.mem.span(c.dz_status_name(@backingInt(status))));
        }
    }
    inline for (names) |name| {
        const err = @field(Error, name);
        if (comptime isOwn(name)) {
            try std.testing.expectEqual(null, statusOf(err));
        } else {
            try std.testing.expectEqual(err, errorOf(statusOf(err).?).?);
        }
    }
    try std.testing.expectEqual(error.UnknownStatus, errorOf(@fromBackingInt(-9999)).?);
}
