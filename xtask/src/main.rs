//! `cargo xtask`: builds, runs and tests Runstate; installs what is missing.

fn main() {}
