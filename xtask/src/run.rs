//! `cargo xtask run`: builds the panel and opens it.

use std::env;
use std::ffi::OsString;
use std::net::TcpListener;

use anyhow::{Context, Result};
use clap::Args;
use xshell::cmd;

use crate::hosts;
use crate::tools::{ensure_gateway, ensure_node_modules, ensure_wasm_tools};
use crate::workspace::Workspace;

// Each is a flag of the command line.
#[allow(clippy::struct_excessive_bools)]
#[derive(Args)]
pub(crate) struct Options {
    /// The port on 127.0.0.1; 0 chooses a free one.
    #[arg(long, default_value_t = 7700)]
    port: u16,
    /// Serves the release build; it takes longer to build and starts faster.
    #[arg(long)]
    release: bool,
    /// Starts a real Smithers Gateway with demo runs, which also serves the panel.
    #[arg(long)]
    gateway: bool,
    /// Builds the browser extension and explains how to load it.
    #[arg(long)]
    extension: bool,
    /// Does not open a browser.
    #[arg(long)]
    no_open: bool,
}

impl Options {
    fn opens_browser(&self) -> bool {
        !self.no_open && has_desktop(env::var_os)
    }
}

/// Whether the machine can show a browser. Without a desktop, trunk would report that `xdg-open` failed.
fn has_desktop(variable: impl Fn(&'static str) -> Option<OsString>) -> bool {
    let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
    // WSL opens the browser of Windows.
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"].into_iter().any(is_set)
}

pub(crate) fn run(ws: &Workspace, options: &Options) -> Result<()> {
    if options.extension {
        return extension(ws);
    }
    // Checked before the build, which takes minutes.
    let port = TcpListener::bind(("127.0.0.1", options.port))
        .with_context(|| format!("port {} on 127.0.0.1 is not available", options.port))?
        .local_addr()?
        .port()
        .to_string();
    if options.gateway { gateway(ws, options, &port) } else { serve(ws, options, &port) }
}

/// Builds, serves, and rebuilds after every change.
fn serve(ws: &Workspace, options: &Options, port: &str) -> Result<()> {
    ensure_wasm_tools(ws)?;
    let mut flags = Vec::new();
    if options.release {
        // wasm-opt is used in release builds only.
        ensure_node_modules(ws)?;
        flags.push("--release");
    }
    if options.opens_browser() {
        flags.push("--open");
    }
    println!("Building; Runstate will be at http://127.0.0.1:{port}/ (Ctrl-C ends it)");
    let sh = &ws.sh;
    Ok(cmd!(sh, "trunk serve --locked --address 127.0.0.1 --port {port} {flags...}").run()?)
}

fn gateway(ws: &Workspace, options: &Options, port: &str) -> Result<()> {
    hosts::build_dashboard(ws)?;
    ensure_gateway(ws)?;
    let (sh, dashboard) = (&ws.sh, ws.dist.join("dashboard"));
    let open = options.opens_browser().then_some("--open");
    Ok(cmd!(sh, "node tests/gateway/demo.mjs {dashboard} {port} {open...}").run()?)
}

fn extension(ws: &Workspace) -> Result<()> {
    hosts::build(ws)?;
    let folder = ws.dist.join("extension");
    println!(
        "\nTo load the extension in Chrome or Edge:\n  \
         1. Open chrome://extensions (Edge: edge://extensions) and switch on Developer mode.\n  \
         2. Choose \"Load unpacked\" and select {}\n  \
         3. Open the developer tools on any page and choose the panel \"Runstate\".\n\
         In Firefox:\n  \
         1. Open about:debugging#/runtime/this-firefox.\n  \
         2. Choose \"Load Temporary Add-on\" and select {}\n  \
         3. As above.\n\
         After another build, press the extension's reload button on the first page.",
        folder.display(),
        folder.join("manifest.json").display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_browser_is_opened_only_on_a_desktop() {
        let with = |set: &'static str, value: &'static str| {
            has_desktop(move |name| (name == set).then(|| value.into()))
        };
        assert!(with("DISPLAY", ":0"));
        assert!(with("WAYLAND_DISPLAY", "wayland-0"));
        assert!(with("WSL_DISTRO_NAME", "Debian"));
        assert!(!with("DISPLAY", ""));
        assert!(!with("SSH_CONNECTION", "192.0.2.1 1 192.0.2.2 22"));
    }
}
