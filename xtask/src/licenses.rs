//! The licence notices of the crates that are shipped.

use anyhow::Result;

use crate::workspace::Workspace;

pub(crate) fn generate(_: &Workspace) -> Result<()> {
    Ok(())
}
