//! Which functions begin where a line of the cache does.
//!
//! The compiler is asked for small code (`opt-level` in Cargo.toml), and so aligns none. Where the first instructions of a
//! call that a game makes most lie at the end of a line, it takes up to a tenth longer, and whether they do changes with every
//! other function. Each function has a section to itself; here it is said of a section that it is aligned, before the function
//! comes into it.

/// Aligns the sections of functions that are called by these names.
macro_rules! begin_lines {
    ($($name:ident),+) => {
        $(core::arch::global_asm!(
            concat!(".pushsection .text.", stringify!($name), ",\"ax\",@progbits"),
            ".p2align 6",
            ".popsection",
        );)+
    };
}

begin_lines!(dz_get, dz_get_mut);
