//! The folders of the checkout, and a shell in which every tool runs.

use std::cell::RefCell;
use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::Shell;

/// A Cargo profile for WebAssembly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Profile {
    /// What is shipped.
    Release,
    /// For tests: compiles several times as fast; larger and slower.
    Quick,
}

impl Profile {
    /// Its name in `Cargo.toml`, which is also its folder in Cargo's target directory.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Quick => "quick",
        }
    }
}

/// The folders that the tasks use.
pub(crate) struct Workspace {
    /// Works in the root of the checkout; installed tools are on its `PATH`.
    pub(crate) sh: Shell,
    /// The checkout.
    pub(crate) root: PathBuf,
    /// Cargo's target directory.
    pub(crate) target: PathBuf,
    /// The profile of the build output.
    pub(crate) profile: Profile,
    /// The build output: the hosts and the npm package. Each profile has its own folder.
    pub(crate) dist: PathBuf,
    /// Installed tools, each in a folder named after its version.
    pub(crate) cache: PathBuf,
    done: RefCell<HashSet<&'static str>>,
}

impl Workspace {
    /// Finds the folders of this checkout.
    pub(crate) fn find(profile: Profile) -> Result<Self> {
        let root =
            Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask is a folder of the checkout")?;
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
        let sh = Shell::new()?;
        sh.change_dir(root);
        sh.set_var("CARGO_TARGET_DIR", &target);
        // trunk reads NO_COLOR as its own argument and rejects the usual value "1".
        if env::var_os("NO_COLOR").is_some() {
            sh.set_var("NO_COLOR", "true");
        }
        let dist = match profile {
            Profile::Release => root.join("dist"),
            Profile::Quick => target.join("dist"),
        };
        let done = RefCell::default();
        Ok(Self { sh, root: root.to_owned(), target, profile, dist, cache: cache()?, done })
    }

    /// Runs a step that several tasks share, at most once per process.
    pub(crate) fn once(&self, step: &'static str, run: impl FnOnce() -> Result<()>) -> Result<()> {
        if !self.done.borrow().contains(step) {
            run()?;
            self.done.borrow_mut().insert(step);
        }
        Ok(())
    }

    /// Takes these steps for done.
    pub(crate) fn skip(&self, steps: impl IntoIterator<Item = &'static str>) {
        self.done.borrow_mut().extend(steps);
    }

    /// Puts a folder in front of the `PATH` of every later command.
    pub(crate) fn prepend_path(&self, folder: PathBuf) -> Result<()> {
        let path = self.sh.var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(folder).chain(env::split_paths(&path));
        self.sh.set_var("PATH", env::join_paths(folders)?);
        Ok(())
    }

    /// Replaces the paths of the checkout and of Cargo's home in release builds of WebAssembly: panic messages contain source
    /// paths, which would otherwise reveal the builder's home directory.
    pub(crate) fn release_flags(&self) -> (&'static str, String) {
        let home = home().unwrap_or_default().join(".cargo");
        let cargo = env::var_os("CARGO_HOME").map_or(home, PathBuf::from);
        let flags = format!(
            "--remap-path-prefix={}=cargo --remap-path-prefix={}=.",
            cargo.display(),
            self.root.display()
        );
        // Cargo splits the variable at spaces.
        let splits = cargo.to_string_lossy().contains(' ') || self.root.to_string_lossy().contains(' ');
        ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", if splits { String::new() } else { flags })
    }
}

fn cache() -> Result<PathBuf> {
    let folder = |name| env::var_os(name).map(PathBuf::from);
    folder("RUNSTATE_CACHE")
        .or_else(|| Some(folder("XDG_CACHE_HOME").or_else(|| folder("LOCALAPPDATA"))?.join("runstate")))
        .or_else(|| Some(home()?.join(".cache/runstate")))
        .context("no home directory found: set RUNSTATE_CACHE to a folder for the tools")
}

fn home() -> Option<PathBuf> {
    env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(PathBuf::from)
}
