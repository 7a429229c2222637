//! The files of a directory.

use std::collections::BTreeMap;
use std::path::Path;

/// A directory's files by relative path.
pub type Files = BTreeMap<String, Vec<u8>>;

pub fn files_under(directory: &Path) -> Files {
    let mut found = Files::new();
    let mut open = vec![directory.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().to_str().unwrap().replace('\\', "/");
                found.insert(name, std::fs::read(path).unwrap());
            }
        }
    }
    found
}
