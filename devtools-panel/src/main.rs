//! The panel's program, on a page and in the workers of its sessions.

fn main() {
    runstate_panel::start();
}
