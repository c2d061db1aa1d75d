//! The binding's tests: what the conformance list doesn't show.
test {
    _ = @import("component.zig");
    _ = @import("guide.zig");
    _ = @import("query.zig");
    _ = @import("world.zig");
}
