//! Reads the rows of a list one by one; an unreadable row is reported and skipped.

use crate::json::{ReadError, Slice, items};
use crate::problem::{Problem, Problems};

/// Maximum number of rows that are read if each becomes a run or a session; further rows are reported. A row uses two
/// kilobytes of the reader's few hundred megabytes.
pub(crate) const MAX_RUNS: usize = 100_000;

/// The names and the limit of the rows of a list, for reports.
#[derive(Clone, Copy)]
pub(crate) struct RowNames {
    /// The name of one row, such as `Run`.
    pub(crate) one: &'static str,
    /// The name of several rows, such as `runs`.
    pub(crate) many: &'static str,
    /// Maximum number of rows that are read.
    pub(crate) limit: usize,
}

/// The result of reading the rows of a list.
pub(crate) struct RowResult {
    /// The number of rows that were read.
    pub(crate) read_count: usize,
    /// The number of rows that could not be read.
    pub(crate) error_count: usize,
    /// The error of the first of them.
    pub(crate) first_error: Option<ReadError>,
}

impl RowResult {
    /// Returns the first error if no row could be read.
    pub(crate) fn error_of_all(self) -> Result<(), ReadError> {
        self.first_error.filter(|_| self.read_count == 0).map_or(Ok(()), Err)
    }
}

/// Reads the rows of a list. `read` may add problems of its own.
///
/// # Errors
/// [`ReadError`] if the value is not a list.
pub(crate) fn read_rows<'a>(
    list: Slice<'a>,
    names: RowNames,
    problems: &mut Problems,
    mut read: impl FnMut(Slice<'a>, &mut Problems) -> Result<(), ReadError>,
) -> Result<RowResult, ReadError> {
    let mut result = RowResult { read_count: 0, error_count: 0, first_error: None };
    for (index, row) in items(list)?.enumerate() {
        let row = row?;
        if index >= names.limit {
            let RowNames { limit, many, .. } = names;
            problems
                .append_all(Problem::new(format!("Only the first {limit} {many} of the list are shown.")));
            break;
        }
        match read(row, problems) {
            Ok(()) => result.read_count += 1,
            Err(error) => {
                problems.add_error(list.whole(), &error, &format!("{} skipped.", names.one));
                result.error_count += 1;
                result.first_error = result.first_error.or(Some(error));
            }
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::{RowNames, read_rows};
    use crate::json::Slice;
    use crate::problem::Problems;

    #[test]
    fn broken_rows_are_reported_and_skipped() {
        let names = RowNames { one: "Run", many: "runs", limit: 4 };
        let slice = Slice::from_text(r#"[1,"a",2,"b",3]"#).unwrap();
        let (mut problems, mut numbers) = (Problems::default(), Vec::new());
        let result = read_rows(slice, names, &mut problems, |row, _| {
            numbers.push(row.read_count()?);
            Ok(())
        });
        assert_eq!((result.unwrap().read_count, numbers), (2, vec![1, 2]));
        let texts = problems.texts();
        assert!(
            texts[0].starts_with("Line 1, column 4: ") && texts[0].ends_with(" Run skipped."),
            "{texts:?}"
        );
        assert_eq!(texts[2], "Only the first 4 runs of the list are shown.");
    }

    #[test]
    fn where_no_row_can_be_read_there_is_an_error() {
        let names = RowNames { one: "Run", many: "runs", limit: 4 };
        let read = |text| {
            let read = |row: Slice<'_>, _: &mut Problems| row.read_count().map(drop);
            read_rows(Slice::from_text(text).unwrap(), names, &mut Problems::default(), read)
        };
        assert!(read(r#"["a","b"]"#).unwrap().error_of_all().is_err());
        assert!(read(r#"["a",1]"#).unwrap().error_of_all().is_ok());
        assert!(read("[]").unwrap().error_of_all().is_ok());
        assert!(read("7").is_err());
    }
}
