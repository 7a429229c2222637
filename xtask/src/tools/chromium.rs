//! The browser of the tests: the system's own.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{on_path, output, run};
use crate::step::{ready, step};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ELSEWHERE: [&str; 4] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
];

/// Finds a Chromium, or installs Debian's where that is allowed: as root, with apt-get.
pub(crate) fn ensure() -> Result<PathBuf> {
    if let Some(chosen) = env::var_os("RUNSTATE_CHROMIUM").map(PathBuf::from) {
        if !chosen.is_file() {
            bail!("RUNSTATE_CHROMIUM names no file: {}", chosen.display());
        }
        return Ok(chosen);
    }
    if let Some(found) = find() {
        ready(&found.display().to_string());
        return Ok(found);
    }
    if on_path("apt-get").is_some() && is_root() {
        step("Installing chromium with apt-get", || {
            let apt = || {
                let mut apt = Command::new("apt-get");
                apt.env("DEBIAN_FRONTEND", "noninteractive");
                apt
            };
            run(apt().args(["update", "-qq"]))?;
            run(apt().args(["install", "-y", "-qq", "--no-install-recommends", "chromium"]))
        })?;
    }
    match find() {
        Some(found) => Ok(found),
        None => bail!(
            "no Chromium was found: install Chromium or Google Chrome, or set RUNSTATE_CHROMIUM to one \
             (Debian: sudo apt-get install chromium)"
        ),
    }
}

fn find() -> Option<PathBuf> {
    let elsewhere = ELSEWHERE.iter().map(PathBuf::from).find(|file| file.is_file());
    NAMES.iter().find_map(|name| on_path(name)).or(elsewhere)
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
