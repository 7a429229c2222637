//! The strip above the header of an exported page: the run, the time of the export, the hash, and the redacted and
//! omitted parts.

use leptos::prelude::*;
use runstate::viewer::Screen;

use super::header::run_id;
use super::rule_counts::RuleCountTable;
use super::{CopyButton, Icon, Isolated};
use crate::browser::host::Host;
use crate::session::protocol::ExportInfo;
use crate::store::{Exports, ScreenState, SessionData};
use crate::text::{attribute, bounded_name, middle_cut, plain_name};

/// The number of characters that are shown of the ends of a hash and of a long id.
const DIGITS: usize = 8;

/// The strip; nothing if the document on screen does not come from an exported page.
#[component]
pub(crate) fn ExportedPageStrip() -> impl IntoView {
    let data = expect_context::<SessionData>();
    move || data.export_info.get().map(|info| view! { <Strip info /> })
}

/// The strip of one exported page.
#[component]
fn Strip(
    /// Metadata of the document inside an exported page.
    info: ExportInfo,
) -> impl IntoView {
    let exports = expect_context::<Exports>();
    let host = expect_context::<Host>();
    let hash_result = info.hash_result();
    let ExportInfo { exported_at, exported, sha256, hash_matches, left_out, rules, .. } = info;
    let (whole, shown) = (sha256.clone(), short(&sha256));
    view! {
        <header class="export-strip" aria-label="Exported run" data-field="incident">
            <p class="export-strip-name">
                <Icon outline=icondata_lu::LuArchive.data />
                <b>"Exported run"</b>
            </p>
            <dl>
                <RunName />
                <div data-field="exportedAt">
                    <dt>"Exported"</dt>
                    <dd><time datetime=exported_at.clone() title=exported_at>{exported}</time></dd>
                </div>
                <div data-field="sha256" data-value=whole.clone() data-matches=hash_matches.to_string()>
                    <dt>"SHA-256"</dt>
                    <dd>
                        <span class="code" title=whole.clone()>{shown}</span>
                        <CopyButton class="btn-icon btn-copy" text=sha256 attr:aria-label="Copy SHA-256" />
                        <HashCheck hash_matches hash_result />
                    </dd>
                </div>
            </dl>
            {if rules.is_empty() {
                view! { <p class="export-strip-omitted" data-field="leftOut">{left_out}</p> }.into_any()
            } else {
                view! {
                    <details class="export-strip-omitted">
                        <summary>
                            <span class="disclosure"><Icon outline=icondata_lu::LuChevronRight.data /></span>
                            <span data-field="leftOut">{left_out}</span>
                        </summary>
                        <RuleCountTable rules />
                    </details>
                }
                .into_any()
            }}
            {host
                .can_print()
                .then(|| {
                    view! {
                        <button
                            type="button"
                            class="btn btn-small"
                            data-action="print"
                            on:click=move |_| exports.print()
                        >
                            <Icon outline=icondata_lu::LuPrinter.data />
                            "Print"
                        </button>
                    }
                })}
            <Show when=move || exports.can_export.get()>
                <button type="button" class="btn btn-small" data-action="export-again" on:click=move |_| exports.open()>
                    <Icon outline=icondata_lu::LuDownload.data />
                    "Export again"
                </button>
            </Show>
            <p class="export-strip-check meta" data-field="check">{how_to_check(host)}</p>
        </header>
    }
}

/// How a person finds out whether the document is the sender's. The page itself cannot say that: who changes its document can change
/// all of it.
fn how_to_check(host: Host) -> &'static str {
    match host {
        Host::File => {
            "Undamaged does not mean unchanged: this page cannot vouch for itself. To check it, open the file in your own Runstate, \
             and compare the SHA-256 there with the sender's."
        }
        Host::Dashboard | Host::DevTools | Host::Embedded => {
            "Undamaged does not mean unchanged. To check the run, compare the SHA-256 with the sender's."
        }
    }
}

/// The run on screen; nothing while the list is on screen.
#[component]
fn RunName() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let state = expect_context::<ScreenState>();
    let run = Memo::new(move |_| {
        let is_run = state.screen.get() == Screen::Run;
        data.header.with(|header| {
            let header = header.as_ref().filter(|_| is_run)?;
            let id = run_id(header).unwrap_or_default().to_owned();
            Some((header.name.clone(), id))
        })
    });
    move || {
        run.get().map(|(name, id)| {
            let shown = (id != name).then(
                || view! { <span class="code" title=plain_name(&id)>{bounded_name(&end_of(&id))}</span> },
            );
            view! {
                <div data-field="run" data-value=attribute(&id)>
                    <dt>"Run"</dt>
                    <dd><Isolated text=middle_cut(&name) /> {shown}</dd>
                </div>
            }
        })
    }
}

/// Whether the document has the hash that was written with it.
#[component]
fn HashCheck(
    /// Whether the document matches the hash.
    hash_matches: bool,
    /// The same in words.
    hash_result: &'static str,
) -> impl IntoView {
    let (tone, outline) = if hash_matches {
        ("success", icondata_lu::LuCheck.data)
    } else {
        ("error", icondata_lu::LuCircleX.data)
    };
    view! {
        <span class="hash-check" data-tone=tone>
            <Icon outline />
            {hash_result}
        </span>
    }
}

/// Shortens a long id to its end, which the name does not contain. The header shows it in full.
fn end_of(id: &str) -> String {
    match id.char_indices().rev().nth(DIGITS - 1) {
        Some((at, _)) if id.chars().count() > 2 * DIGITS => format!("…{}", &id[at..]),
        Some(_) | None => id.to_owned(),
    }
}

/// Shortens a hash to both of its ends.
fn short(sha256: &str) -> String {
    match (sha256.get(..DIGITS), sha256.len().checked_sub(DIGITS).and_then(|at| sha256.get(at..))) {
        (Some(first), Some(last)) if sha256.len() > 2 * DIGITS => format!("{first}…{last}"),
        (_, _) => sha256.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{end_of, short};

    #[wasm_bindgen_test]
    fn both_ends_of_a_hash_are_shown() {
        assert_eq!(short(&"0123456789abcdef".repeat(4)), "01234567…89abcdef");
        for text in ["", "0123456789abcdef", "äöüäöüäöüäöüäöüä"] {
            assert!(text.starts_with(short(text).split('…').next().unwrap_or_default()), "{text}");
        }
    }

    #[wasm_bindgen_test]
    fn only_a_long_id_is_shortened() {
        assert_eq!(end_of("release-train-01jda7q4zk8m3v5t"), "…zk8m3v5t");
        assert_eq!(end_of(&"ä".repeat(17)), format!("…{}", "ä".repeat(8)));
        for whole in ["", "fail-a", "0123456789abcdef"] {
            assert_eq!(end_of(whole), whole);
        }
    }
}
