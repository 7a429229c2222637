//! Where things are: the checkout, the build output, and the tools kept between checkouts.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};

/// Where Cargo reads what the compiler is told for wasm, besides `.cargo/config.toml`.
const WASM_FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// The folders that every task needs.
pub(crate) struct House {
    /// The checkout.
    pub(crate) root: PathBuf,
    /// Cargo's one target directory, for native and wasm.
    pub(crate) target: PathBuf,
    /// What is built to be used: hosts and package.
    pub(crate) dist: PathBuf,
    /// Tools, each in a folder that names its version.
    pub(crate) cache: PathBuf,
}

impl House {
    /// Finds the folders of this checkout.
    pub(crate) fn find() -> Result<Self> {
        // Cargo sets the first when it runs us; the second is where we were built.
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let root = manifest.parent().context("xtask lies in a checkout")?.to_owned();
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
        Ok(Self { target, dist: root.join("dist"), cache: cache_folder()?, root })
    }

    /// Cargo, in this checkout, with one target directory and builds that do not know where they were made.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = self.command("cargo");
        cargo.env("CARGO_TERM_COLOR", env::var("CARGO_TERM_COLOR").unwrap_or_else(|_| "auto".into()));
        cargo
    }

    /// A program, in this checkout, with Cargo's settings in case it calls Cargo.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        if let Some(flags) = self.wasm_flags() {
            command.env(WASM_FLAGS, flags);
        }
        command
    }

    /// Makes a command's release build of wasm as small as what is downloaded should be: the standard library is compiled
    /// with our profile, and a panic, which is a defect and ends the module either way, ends it without a text.
    ///
    /// Cargo and the compiler call both unstable, so they ask for `RUSTC_BOOTSTRAP`; the pinned toolchain holds them still.
    /// Together they are 12 kB of brotli in the panel.
    pub(crate) fn for_download(&self, command: Command) -> Command {
        let mut command = command;
        let flags = self.wasm_flags().unwrap_or_default() + " -Zunstable-options -Cpanic=immediate-abort";
        command
            .env(WASM_FLAGS, flags.trim_start())
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort")
            .env("CARGO_UNSTABLE_BUILD_STD_FEATURES", "optimize_for_size");
        command
    }

    /// The wasm that Cargo left for a crate, before wasm-bindgen.
    pub(crate) fn wasm(&self, name: &str) -> PathBuf {
        self.target.join("wasm32-unknown-unknown/release").join(format!("{name}.wasm"))
    }

    /// Panic messages carry source paths: without these flags the same sources give another module, and another
    /// size, on each machine, and name the builder's home.
    fn wasm_flags(&self) -> Option<String> {
        let cargo_home =
            env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(home()?.join(".cargo")))?;
        let (cargo_home, root) = (cargo_home.to_str()?.to_owned(), self.root.to_str()?.to_owned());
        // Cargo splits the variable at spaces.
        if cargo_home.contains(' ') || root.contains(' ') {
            return None;
        }
        Some(format!("--remap-path-prefix={cargo_home}=cargo --remap-path-prefix={root}=."))
    }
}

fn cache_folder() -> Result<PathBuf> {
    if let Some(chosen) = env::var_os("RUNSTATE_CACHE") {
        return Ok(chosen.into());
    }
    let base = if cfg!(windows) {
        env::var_os("LOCALAPPDATA").map(PathBuf::from)
    } else {
        env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| Some(home()?.join(".cache")))
    };
    base.map(|base| base.join("runstate"))
        .ok_or_else(|| anyhow!("no home folder found: set RUNSTATE_CACHE to a folder for the tools"))
}

fn home() -> Option<PathBuf> {
    env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(PathBuf::from)
}
