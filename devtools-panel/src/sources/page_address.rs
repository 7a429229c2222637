//! The address of a dashboard: opens what it names, keeps it in step with what is on screen, so that a reload and a link show
//! the same, and goes back and forward in the page's history.

use gloo_timers::callback::Timeout;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_use::{use_event_listener, use_window};
use runstate::viewer::{PageAddress, PageSource, Place};

use super::page::{self, HistoryEntry, HistorySource};
use crate::address::checked_gateway;
use crate::browser::history;
use crate::browser::page::{has_own_host, is_framed};
use crate::problem::Problem;
use crate::store::{Opened, Sessions};

/// The minimum time between two changes of the present entry, ms. Browsers limit them.
const REPLACE_INTERVAL_MS: f64 = 1_000.0;

/// The page's address.
#[derive(Clone, Copy)]
pub(crate) struct PageAddressBar {
    sessions: Sessions,
    /// The address of the Gateway that the page's server suggests, once the page has asked for it.
    suggested_gateway: RwSignal<Option<String>>,
    /// What the address says, at the latest when `later` has passed.
    shown: StoredValue<Option<Shown>>,
    /// Whether the next session is the one that the present entry names.
    opens_entry: StoredValue<bool>,
    /// The next change of the present entry.
    later: StoredValue<Option<Timeout>, LocalStorage>,
    /// The time of the last change of the present entry, ms.
    replaced_at: StoredValue<f64>,
}

/// What an entry of the page's history says.
#[derive(Clone, PartialEq)]
struct Shown {
    /// The number of the session on screen.
    session: u32,
    source: ShownSource,
    place: Place,
}

/// Where an entry names the source.
#[derive(Clone, PartialEq)]
enum ShownSource {
    /// In the address.
    Address(PageSource),
    /// In the entry itself.
    Entry(HistorySource),
}

impl Shown {
    /// Writes the entry. The address of a source that it cannot name says only what the page opens first.
    fn write(&self, write: impl FnOnce(&Option<HistoryEntry>, &str)) {
        let place = self.place.clone();
        let (entry, address) = match &self.source {
            ShownSource::Address(source) => (None, PageAddress::new(source.clone(), place)),
            ShownSource::Entry(source) => {
                let address = PageAddress::new(page::address().source, Place::default());
                (Some(HistoryEntry { source: source.clone(), place }), address)
            }
        };
        write(&entry, &address.to_string());
    }
}

impl PageAddressBar {
    /// Opens what the page's address names, and follows both the screen and the person from then on. Inside another page it
    /// leaves the history alone.
    pub(crate) fn start(sessions: &Sessions) {
        let bar = Self {
            sessions: *sessions,
            suggested_gateway: RwSignal::new(None),
            shown: StoredValue::new(None),
            opens_entry: StoredValue::new(false),
            later: StoredValue::new_local(None),
            replaced_at: StoredValue::new(f64::NEG_INFINITY),
        };
        bar.open();
        if is_framed() {
            return;
        }
        provide_context(bar);
        Effect::new(move |_| {
            if let Some(shown) = bar.on_screen() {
                bar.show(shown);
            }
        });
        let _stop_on_unmount = use_event_listener(use_window(), ev::popstate, move |_| bar.follow_history());
    }

    /// The address of what is on screen, without the search text; `None` if no address names it; reactive.
    pub(crate) fn link(&self) -> Option<String> {
        let Shown { source, mut place, .. } = self.on_screen()?;
        let ShownSource::Address(source) = source else { return None };
        place.query.search.clear();
        place.tree.search.clear();
        place.log.search.clear();
        Some(history::address(&PageAddress::new(source, place).to_string()))
    }

    /// What is on screen; `None` while a source is being opened; reactive.
    fn on_screen(&self) -> Option<Shown> {
        let (session, opened) = self.sessions.opened.get()?;
        let place = self.sessions.place()?;
        let source = match self.page_source(&opened) {
            Some(source) => ShownSource::Address(source),
            None => ShownSource::Entry(match opened {
                Opened::Gateway(address) => HistorySource::Gateway(address),
                Opened::Recording | Opened::Other => {
                    HistorySource::Session { page: history::page_id(), number: session }
                }
            }),
        };
        Some(Shown { session, source, place })
    }

    /// How an address names a source. Only a Gateway of the page's own origin is named by its address.
    fn page_source(&self, opened: &Opened) -> Option<PageSource> {
        match opened {
            Opened::Recording => Some(PageSource::Example),
            Opened::Gateway(address) if self.suggested_gateway.get().as_ref() == Some(address) => {
                Some(PageSource::SuggestedGateway)
            }
            Opened::Gateway(address) if page::serving_gateway().as_ref() == Some(address) => {
                Some(PageSource::Own)
            }
            Opened::Gateway(address) => has_own_host(address).then(|| PageSource::Gateway(address.clone())),
            Opened::Other => None,
        }
    }

    /// Writes another run or source into a new entry, and anything else into the present one.
    fn show(&self, shown: Shown) {
        let Some(last) = self.shown.try_update_value(|last| last.replace(shown.clone())) else { return };
        if last.as_ref() == Some(&shown) {
            return;
        }
        let is_other_session = last.as_ref().is_none_or(|last| last.session != shown.session);
        let opens_entry =
            is_other_session && self.opens_entry.try_update_value(std::mem::take).unwrap_or_default();
        let is_other_run = last.as_ref().is_some_and(|last| last.place.run != shown.place.run);
        if opens_entry || !(is_other_session || is_other_run) {
            self.replace_soon();
            return;
        }
        if let Some(last) = last.filter(|_| self.cancel()) {
            last.write(history::replace);
        }
        shown.write(history::push);
    }

    /// Changes the present entry now, or when the interval has passed.
    fn replace_soon(&self) {
        let wait = self.replaced_at.get_value() + REPLACE_INTERVAL_MS - js_sys::Date::now();
        if wait <= 0.0 {
            self.replace();
        } else if self.later.with_value(Option::is_none) {
            let bar = *self;
            let later = Timeout::new(wait.ceil() as u32, move || bar.replace());
            self.later.set_value(Some(later));
        }
    }

    fn replace(&self) {
        self.later.try_update_value(Option::take);
        self.replaced_at.set_value(js_sys::Date::now());
        if let Some(shown) = self.shown.try_get_value().flatten() {
            shown.write(history::replace);
        }
    }

    /// Cancels a change that waits. Returns whether there was one.
    fn cancel(&self) -> bool {
        self.later.try_update_value(Option::take).flatten().map(Timeout::cancel).is_some()
    }

    /// Shows what the present entry says, after the person went back or forward or edited the address.
    fn follow_history(&self) {
        self.cancel();
        let shown = self.shown.get_value();
        let (source, place) = if let Some(entry) = page::history_entry() {
            (ShownSource::Entry(entry.source), entry.place)
        } else {
            let address = page::address();
            (ShownSource::Address(address.source), address.place)
        };
        match (source, shown) {
            (source, Some(shown)) if source == shown.source => {
                if shown.place.run != place.run {
                    self.sessions.state.request_heading_focus();
                }
                self.shown.set_value(Some(Shown { place: place.clone(), ..shown }));
                self.sessions.go(place);
                self.replace();
            }
            // The source was a file, which is gone: the entry now shows what is on screen.
            (ShownSource::Entry(HistorySource::Session { .. }), Some(_)) => self.replace(),
            _ => self.open(),
        }
    }

    /// Opens the source that the present entry names, at its place.
    fn open(&self) {
        self.opens_entry.set_value(true);
        let sessions = self.sessions;
        if let Some(HistoryEntry { source: HistorySource::Gateway(address), place }) = page::history_entry() {
            sessions.state.start_blank();
            sessions.connect(address, None, place);
            return;
        }
        let PageAddress { source, place, .. } = page::address();
        match source {
            PageSource::ConnectForm => self.show_connect_form(),
            PageSource::SuggestedGateway => {
                let bar = *self;
                spawn_local(async move {
                    match page::suggested_gateway().await {
                        Ok(gateway) => {
                            sessions.session.problem.set(bar.connect_to_suggested(gateway, place).err());
                        }
                        Err(error) => leptos::logging::warn!("gateway.json cannot be read: {error}"),
                    }
                });
            }
            PageSource::Gateway(address) => {
                sessions.session.problem.set(self.connect_to_own(&address, place).err());
            }
            PageSource::Example => {
                sessions.state.start_blank();
                sessions.open_recording(place);
            }
            PageSource::Own => match page::serving_gateway() {
                // The browser sends the Gateway's session cookie, if there is one; otherwise the Gateway asks for a token.
                Some(address) => {
                    sessions.state.start_blank();
                    sessions.connect(address, None, place);
                }
                None => self.show_connect_form(),
            },
        }
    }

    /// Shows the connect form, in front of the session if there is one. What is opened with it has an entry of its own.
    fn show_connect_form(&self) {
        self.opens_entry.set_value(false);
        if self.sessions.opened.with_untracked(Option::is_some) {
            self.sessions.state.choose_source();
        }
    }

    fn connect_to_suggested(&self, gateway: page::SuggestedGateway, mut place: Place) -> Result<(), Problem> {
        let (address, token) = checked_gateway(&gateway.url, gateway.token)?;
        self.suggested_gateway.set(Some(address.clone()));
        place.run = place.run.or(gateway.run_id);
        self.sessions.connect(address, token, place);
        Ok(())
    }

    /// Connects to the Gateway of an address, without a token. Anybody can write a link, so a page connects by itself only to
    /// its own origin.
    fn connect_to_own(&self, address: &str, place: Place) -> Result<(), Problem> {
        let (address, _) = checked_gateway(address, None)?;
        if !has_own_host(&address) {
            let message =
                "Expected an address on this page's own origin, found another one in the page's address.";
            return Err(
                Problem::new("OTHER_ORIGIN", message).with_hint("Enter the address here to connect to it.")
            );
        }
        self.sessions.state.start_blank();
        self.sessions.connect(address, None, place);
        Ok(())
    }
}
