//! What must not compile. test.sh looks for the sentences behind "says:" among the errors.
const dz = @import("denizen");

const Position = struct { x: f32 = 0 };

fn sliceOfText(run: dz.Batch(void, .runs)) void {
    _ = run.slice(0); // says: a query without a struct of terms has no field names
}

comptime {
    _ = &sliceOfText;
}
