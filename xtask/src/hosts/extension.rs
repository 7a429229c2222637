//! The browser extension: the dashboard's files with pages of its own.

use std::fs;

use anyhow::Result;

use super::{copy_folder, dashboard_folder, extension_folder, fresh_folder};
use crate::house::House;

/// Builds `dist/extension` from `dist/dashboard`.
pub(super) fn build(house: &House) -> Result<()> {
    let folder = extension_folder(house);
    fresh_folder(&folder)?;
    copy_folder(&dashboard_folder(house), &folder)?;
    for page in ["index.html", "embed.html"] {
        fs::remove_file(folder.join(page))?;
    }
    copy_folder(&house.root.join("www/extension"), &folder)
}
