//! Installing into the cache, whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Result, bail};

use crate::house::House;
use crate::step::{ready, step};

/// Returns the file `proof` inside the cache folder `name`, after `install` has filled that folder if need be.
///
/// The work is done in a folder beside it, which takes the name at the end: an install that was cut off leaves no
/// folder of that name, so the next one starts anew.
pub(crate) fn once(
    house: &House,
    name: &str,
    note: &str,
    proof: &str,
    install: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let folder = house.cache.join(name);
    let file = folder.join(proof);
    if file.exists() {
        ready(name);
        return Ok(file);
    }
    step(&format!("Installing {name}{note}"), || {
        let part = house.cache.join(format!("{name}.part-{}", process::id()));
        fs::create_dir_all(&part)?;
        let result = install(&part).and_then(|()| take_name(&part, &folder, proof));
        let _ = fs::remove_dir_all(&part);
        result
    })?;
    Ok(file)
}

fn take_name(part: &Path, folder: &Path, proof: &str) -> Result<()> {
    if !part.join(proof).exists() {
        bail!("the install ended well but left no {proof}");
    }
    // Another install may have won meanwhile; its folder is as good.
    if folder.join(proof).exists() {
        return Ok(());
    }
    let _ = fs::remove_dir_all(folder);
    fs::rename(part, folder)?;
    Ok(())
}

/// Names the content of files: FNV-1a, 64 bit. A cache key, not a defence.
pub(crate) fn content_name(files: &[PathBuf]) -> Result<String> {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for file in files {
        for byte in fs::read(file)? {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(format!("{hash:016x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(name: &str) -> House {
        let cache = std::env::temp_dir().join(format!("runstate-install-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&cache);
        House { root: cache.clone(), target: cache.clone(), dist: cache.clone(), cache }
    }

    #[test]
    fn an_install_is_done_once() {
        let house = house("once");
        let fill = |folder: &Path| Ok(fs::write(folder.join("tool"), "1")?);
        assert_eq!(fs::read_to_string(once(&house, "t-1", "", "tool", fill).unwrap()).unwrap(), "1");
        let again = once(&house, "t-1", "", "tool", |_| bail!("installed twice")).unwrap();
        assert_eq!(again, house.cache.join("t-1/tool"));
        fs::remove_dir_all(&house.cache).unwrap();
    }

    #[test]
    fn a_failed_install_leaves_nothing_that_looks_ready() {
        let house = house("failed");
        let half = |folder: &Path| {
            fs::write(folder.join("tool"), "half")?;
            bail!("cut off")
        };
        assert!(once(&house, "t-1", "", "tool", half).is_err());
        assert!(!house.cache.join("t-1").exists());
        assert!(once(&house, "t-1", "", "tool", |_| Ok(())).is_err());
        assert_eq!(fs::read_dir(&house.cache).unwrap().count(), 0);
        fs::remove_dir_all(&house.cache).unwrap();
    }
}
