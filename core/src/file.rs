//! A file that a person opens, with or without a name.

/// One of the files that are opened together.
///
/// Several files of one run are one document: the row has its state, the snapshot its tree.
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let row = br#"{"runId":"r1","workflowName":"build","status":"waiting-timer"}"#;
/// let snapshot = br#"{"version":1,"runId":"r1","frameNo":3,"seq":3,"root":{"id":1,"type":"workflow","name":"build"}}"#;
/// let files =
///     [File { name: Some("getRun.json"), bytes: row }, File { name: Some("snapshot.json"), bytes: snapshot }];
/// let document = open(&files, Millis(0.0))?;
/// assert_eq!(document.header(None, Millis(0.0)).unwrap().state.as_deref(), Some("waiting-timer"));
/// assert_eq!(document.tree(None).unwrap().len(), 1);
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Its name or relative path; a pasted text has none.
    pub name: Option<&'a str>,
    /// Its content.
    pub bytes: &'a [u8],
}
