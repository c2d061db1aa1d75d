//! The loop over a query, as a Zig program writes it: through the typed layer's iterator. The world and query are the
//! bench's.
const dz = @import("denizen");

const P = extern struct { x: f32, y: f32, z: f32 };
const V = extern struct { x: f32, y: f32, z: f32 };
const Movers = dz.Query(struct { p: *P, v: *const V });

/// Element by element: false if the iteration failed.
export fn zig_at(world: dz.raw.dz_world, query: dz.raw.dz_query) callconv(.c) bool {
    const movers: Movers = .{ .world = .{ .raw = world }, .raw = query };
    var it = movers.iterate();
    while (it.next() catch return false) |batch| {
        for (0..batch.count) |i| {
            const row = batch.row(i);
            row.p.x += row.v.x;
            row.p.y += row.v.y;
            row.p.z += row.v.z;
        }
    }
    return true;
}

/// The same with vectors where the batch is a run. Zig says them itself: its compiler doesn't find them in the loop above, as
/// C compilers do.
export fn zig_run(world: dz.raw.dz_world, query: dz.raw.dz_query) callconv(.c) bool {
    const movers: Movers = .{ .world = .{ .raw = world }, .raw = query };
    var it = movers.iterate();
    while (it.next() catch return false) |batch| {
        if (batch.asRun()) |run| {
            add(@ptrCast(run.slice(.p)), @ptrCast(run.slice(.v)));
        } else for (0..batch.count) |i| {
            const row = batch.row(i);
            row.p.x += row.v.x;
            row.p.y += row.v.y;
            row.p.z += row.v.z;
        }
    }
    return true;
}

inline fn add(to: []f32, by: []const f32) void {
    const Vector = @Vector(16, f32);
    var i: usize = 0;
    while (i + 16 <= to.len) : (i += 16) {
        to[i..][0..16].* = @as(Vector, to[i..][0..16].*) + @as(Vector, by[i..][0..16].*);
    }
    for (to[i..], by[i..]) |*a, b| a.* += b;
}
