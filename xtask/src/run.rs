//! `cargo xtask run`: from a fresh checkout to something on screen.

use std::env;
use std::process::{Command, Stdio};

use anyhow::Result;
use clap::Args;

use crate::gateway::{Gateway, TOKEN};
use crate::hosts;
use crate::house::House;
use crate::process::on_path;
use crate::serve::FileServer;
use crate::step::step;

#[derive(Args)]
pub(crate) struct Options {
    /// The loopback port of the page; 0 takes a free one.
    #[arg(long, default_value_t = 7700)]
    port: u16,
    /// Installs and starts a real Smithers Gateway with demo runs, and opens the page on it.
    #[arg(long)]
    gateway: bool,
    /// Builds the browser extension and says how to load it.
    #[arg(long)]
    extension: bool,
    /// Opens no browser.
    #[arg(long)]
    no_open: bool,
}

/// Runs what the options ask for; serves until it is interrupted.
pub(crate) fn run(house: &House, options: &Options) -> Result<()> {
    if options.extension {
        hosts::build_all(house)?;
        explain_extension(house);
        return Ok(());
    }
    // Taken first: a taken port must be known before minutes of building.
    let mut server = FileServer::bind(options.port, hosts::dashboard_folder(house))?;
    hosts::build_dashboard(house)?;
    let gateway = if options.gateway { Some(connect(house, &mut server)?) } else { None };

    let address = server.address() + if gateway.is_some() { "#gateway" } else { "" };
    println!("\nRunstate is at {address}");
    println!("Press Ctrl-C to end.");
    if !options.no_open {
        open(&address);
    }
    server.serve();
    Ok(())
}

fn connect(house: &House, server: &mut FileServer) -> Result<Gateway> {
    let name = server.port().to_string();
    let gateway = step("Starting the Gateway", || Gateway::start(house, &name))?;
    let runs = step("Launching demo runs", || gateway.launch())?;
    println!("\nGateway: {}", gateway.url());
    println!("Token:   {TOKEN}");
    println!("Runs:    {}", runs.join(", "));
    // The token goes to the page in a same-origin answer: an address would end up in the history.
    server.answer("/gateway.json", gateway.announcement(&runs[0]));
    Ok(gateway)
}

fn explain_extension(house: &House) {
    println!("\nTo load the extension:");
    println!("  1. Open chrome://extensions (Edge: edge://extensions) and switch on Developer mode.");
    println!("  2. Choose \"Load unpacked\" and take this folder:");
    println!("     {}", hosts::extension_folder(house).display());
    println!("  3. Open the developer tools on any page and choose the panel \"Runstate\".");
    println!("After another build, press the extension's reload button on the first page.");
}

fn open(address: &str) {
    let opened = opener().is_some_and(|mut command| {
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    });
    if !opened {
        println!("No browser can be opened from here: open the address yourself.");
    }
}

fn opener() -> Option<Command> {
    if cfg!(target_os = "macos") {
        return Some(Command::new("open"));
    }
    if cfg!(windows) {
        return Some(Command::new("explorer"));
    }
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some());
    if screen { on_path("xdg-open").map(Command::new) } else { None }
}
