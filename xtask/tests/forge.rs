//! The forge's workflows run only code that was reviewed, with no more rights than they need.

use std::fs;
use std::path::{Path, PathBuf};

fn forge() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn workflows() -> Vec<PathBuf> {
    fs::read_dir(forge().join("workflows")).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Whether an action is one of this repository, or named by a commit with its version in a comment: a tag can be moved.
fn is_pinned(action: &str) -> bool {
    let is_commit = |text: &str| text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let pinned = action.split_once('@').and_then(|(_, version)| version.split_once(" # v"));
    action.starts_with("./") || pinned.is_some_and(|(commit, _)| is_commit(commit))
}

#[test]
fn every_action_is_pinned_by_its_commit() {
    let mut files = workflows();
    files.push(forge().join("actions/setup/action.yml"));
    let mut count = 0;
    for path in files {
        for action in read(&path).lines().filter_map(|line| line.split_once("uses: ")) {
            assert!(is_pinned(action.1), "{}: {}", path.display(), action.1);
            count += 1;
        }
    }
    assert!(count > 6, "only {count} actions found");
}

#[test]
fn an_action_that_can_move_is_found() {
    let commit = "de0fac2e4500dabe0009e67214ff5f5447ce83dd";
    assert!(is_pinned(&format!("actions/checkout@{commit} # v6.0.2")));
    assert!(is_pinned("./.github/actions/setup"));
    for action in ["actions/checkout@v6", "actions/checkout@main", "actions/checkout"] {
        assert!(!is_pinned(action), "{action}");
    }
    assert!(!is_pinned(&format!("actions/checkout@{commit}")), "no version");
    assert!(!is_pinned(&format!("actions/checkout@{} # v6.0.2", &commit[..12])), "an abbreviated commit");
}

#[test]
fn a_workflow_may_only_read_unless_a_job_says_otherwise() {
    for path in workflows() {
        let text = read(&path);
        assert!(text.contains("\npermissions:\n  contents: read\n"), "{}", path.display());
        assert!(!text.contains("pull_request_target"), "{}", path.display());
    }
}

#[test]
fn a_release_states_where_it_was_built() {
    let text = read(&forge().join("workflows/release.yml"));
    let attests =
        text.contains("uses: actions/attest-build-provenance@") && text.contains("subject-path: release/*");
    assert!(attests && text.contains("id-token: write") && text.contains("attestations: write"));
    let (before, after) = text.split_once("actions/attest-build-provenance@").unwrap();
    assert!(before.contains("sha256sum --check SHA256SUMS") && after.contains("gh release create"));
}

/// The packages that stand for others in the tests are of this repository.
#[test]
fn no_package_of_a_stranger_stands_for_another() {
    for folder in ["tests", "tests/gateway"] {
        for file in ["package.json", "package-lock.json"] {
            let text = read(&forge().join("..").join(folder).join(file));
            assert!(
                !text.contains("empty-npm-package") && text.contains("support/empty-package"),
                "{folder}/{file}"
            );
        }
    }
}
