//! The fragment of the address of a page that is the panel's own.

use form_urlencoded::Serializer;

use super::Place;

/// The source that a page opens first, and what it shows of it.
///
/// ```
/// use runstate::viewer::{PageAddress, PageSource};
///
/// let (address, _) = PageAddress::parse("gateway&run=r1");
/// assert_eq!((address.source, address.place.run.as_deref()), (PageSource::SuggestedGateway, Some("r1")));
/// assert_eq!(PageAddress::parse("connect").0.source, PageSource::ConnectForm);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageAddress {
    /// The source.
    pub source: PageSource,
    /// What the page shows of it.
    pub place: Place,
}

/// The source that a page opens first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PageSource {
    /// The page's own: the Gateway that serves it; without one, the page shows the form that connects to a Gateway.
    #[default]
    Own,
    /// The Gateway that the page's server suggests: `gateway`.
    SuggestedGateway,
    /// The recording: `example`.
    Example,
    /// None, even if a Gateway serves the page: `connect`.
    ConnectForm,
    /// The Gateway with this address. The page opens it only if it has the page's own origin, because anybody can write a
    /// link.
    Gateway(String),
}

impl PageAddress {
    /// The address of a place of a source.
    ///
    /// ```
    /// use runstate::viewer::{PageAddress, PageSource, Place};
    ///
    /// let place = Place::of_run(Some("r1".to_owned()));
    /// assert_eq!(PageAddress::new(PageSource::SuggestedGateway, place).to_string(), "gateway&run=r1");
    /// ```
    pub fn new(source: PageSource, place: Place) -> Self {
        Self { source, place }
    }

    /// Reads a fragment without `#`. Returns also the names of the parts that were ignored.
    pub fn parse(fragment: &str) -> (Self, Vec<String>) {
        let (place, mut others) = Place::read(fragment);
        let sources = others.iter().map(|(name, value)| page_source(name, value));
        let first = sources.enumerate().find_map(|(position, source)| Some((position, source?)));
        let source = first.map(|(position, source)| {
            others.remove(position);
            source
        });
        let ignored = others.into_iter().map(|(name, _)| name).collect();
        (Self { source: source.unwrap_or_default(), place }, ignored)
    }
}

fn page_source(name: &str, value: &str) -> Option<PageSource> {
    match (name, value) {
        ("gateway", "") => Some(PageSource::SuggestedGateway),
        ("gateway", address) => Some(PageSource::Gateway(address.to_owned())),
        ("example", "") => Some(PageSource::Example),
        ("connect", "") => Some(PageSource::ConnectForm),
        _ => None,
    }
}

impl std::fmt::Display for PageAddress {
    /// Writes the fragment, without `#`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let source = match &self.source {
            PageSource::Own => String::new(),
            PageSource::SuggestedGateway => "gateway".to_owned(),
            PageSource::Example => "example".to_owned(),
            PageSource::ConnectForm => "connect".to_owned(),
            PageSource::Gateway(address) => {
                Serializer::new(String::new()).append_pair("gateway", address).finish()
            }
        };
        let place = self.place.to_string();
        let separator = if source.is_empty() || place.is_empty() { "" } else { "&" };
        write!(formatter, "{source}{separator}{place}")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{PageAddress, PageSource};
    use crate::viewer::Place;

    fn sources() -> impl Strategy<Value = PageSource> {
        prop_oneof![
            Just(PageSource::Own),
            Just(PageSource::SuggestedGateway),
            Just(PageSource::Example),
            Just(PageSource::ConnectForm),
            ".{1,30}".prop_map(PageSource::Gateway),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(source in sources(), run in proptest::option::of(".{1,20}")) {
            let address = PageAddress { source, place: Place { run, ..Place::default() } };
            prop_assert_eq!(PageAddress::parse(&address.to_string()), (address, Vec::new()));
        }
    }

    #[test]
    fn the_first_source_counts_and_the_others_are_named() {
        for (text, source, ignored) in [
            ("", PageSource::Own, ""),
            ("gateway", PageSource::SuggestedGateway, ""),
            ("gateway=", PageSource::SuggestedGateway, ""),
            ("run=a&gateway", PageSource::SuggestedGateway, ""),
            ("gateway&connect", PageSource::SuggestedGateway, "connect"),
            ("connect=1", PageSource::Own, "connect"),
            ("example=1", PageSource::Own, "example"),
            ("connect&example", PageSource::ConnectForm, "example"),
            ("Gateway", PageSource::Own, "Gateway"),
            ("gateway=ws%3A%2F%2Fa&gateway", PageSource::Gateway("ws://a".into()), "gateway"),
            ("token=t&gateway", PageSource::SuggestedGateway, "token"),
        ] {
            let (address, found) = PageAddress::parse(text);
            assert_eq!((address.source, &*found.join(" ")), (source, ignored), "{text:?}");
        }
    }
}
