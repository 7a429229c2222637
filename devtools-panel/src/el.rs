//! Elements of one type. Every element, attribute and listener of the panel goes through the few methods here, so that
//! Leptos' machinery is compiled once and not once per tag, attribute and closure: it halves the panel's download.
//!
//! Tags are written in capitals, as `tagName` has them: Leptos compares the two to see whether an element can stay.

use leptos::attr::any_attribute::{AnyAttribute, IntoAnyAttribute};
use leptos::attr::custom::custom_attribute;
use leptos::html::{Custom, ElementChild, custom};
use leptos::prelude::*;
use leptos::tachys::html::event::{Custom as Named, on};
use leptos::tachys::html::node_ref::node_ref;
use leptos::tachys::html::style::style;
use leptos::tachys::reactive_graph::SharedReactiveFunction;
use leptos::tachys::view::add_attr::AddAnyAttr;
use leptos::tachys::view::iterators::StaticVec;
use std::sync::{Arc, Mutex};

/// Reaches an element of the page.
pub(crate) type Ref = NodeRef<Custom<&'static str>>;

/// An element that is being described.
pub(crate) struct El(Box<Parts>);

struct Parts {
    tag: &'static str,
    attributes: Vec<AnyAttribute>,
    children: Vec<AnyView>,
}

/// An element without attributes or children; `tag` in capitals.
#[inline(never)]
pub(crate) fn el(tag: &'static str) -> El {
    El(Box::new(Parts { tag, attributes: Vec::new(), children: Vec::new() }))
}

/// An element of a class.
#[inline(never)]
pub(crate) fn el_of(tag: &'static str, class: &'static str) -> El {
    el(tag).attr("class", class)
}

fn shared<T: 'static>(read: impl FnMut() -> T + Send + 'static) -> SharedReactiveFunction<T> {
    Arc::new(Mutex::new(read))
}

impl El {
    /// A constant attribute.
    #[inline(never)]
    pub(crate) fn attr(self, name: &'static str, value: &str) -> Self {
        self.maybe_attr(name, Some(value.to_owned()))
    }

    /// An attribute that may be absent.
    #[inline(never)]
    pub(crate) fn maybe_attr(mut self, name: &'static str, value: Option<String>) -> Self {
        self.0.attributes.push(custom_attribute(name, value).into_any_attr());
        self
    }

    /// An attribute that follows what `read` reads.
    pub(crate) fn live_attr(
        self,
        name: &'static str,
        read: impl Fn() -> Option<String> + Send + 'static,
    ) -> Self {
        self.shared_attr(name, shared(read))
    }

    #[inline(never)]
    fn shared_attr(mut self, name: &'static str, read: SharedReactiveFunction<Option<String>>) -> Self {
        self.0.attributes.push(custom_attribute(name, read).into_any_attr());
        self
    }

    /// A style that follows what `read` reads. Set through the object model, which no content policy refuses.
    pub(crate) fn live_style(self, name: &'static str, read: impl Fn() -> String + Send + 'static) -> Self {
        self.shared_style(name, shared(read))
    }

    #[inline(never)]
    fn shared_style(mut self, name: &'static str, read: SharedReactiveFunction<String>) -> Self {
        self.0.attributes.push(style((name, read)).into_any_attr());
        self
    }

    /// Listens to an event.
    pub(crate) fn on(self, event: &'static str, act: impl FnMut(web_sys::Event) + 'static) -> Self {
        self.boxed_on(event, Box::new(act))
    }

    #[inline(never)]
    fn boxed_on(mut self, event: &'static str, act: Box<dyn FnMut(web_sys::Event)>) -> Self {
        self.0.attributes.push(on(Named::<web_sys::Event>::new(event), act).into_any_attr());
        self
    }

    /// Lets `reference` reach the element.
    #[inline(never)]
    pub(crate) fn reached_by(mut self, reference: Ref) -> Self {
        self.0.attributes.push(node_ref::<Custom<&'static str>, Ref>(reference).into_any_attr());
        self
    }

    /// A constant text.
    #[inline(never)]
    pub(crate) fn say(mut self, text: &'static str) -> Self {
        self.0.children.push(text.into_any());
        self
    }

    /// A text.
    #[inline(never)]
    pub(crate) fn text(mut self, text: String) -> Self {
        self.0.children.push(text.into_any());
        self
    }

    /// A text that follows what `read` reads.
    pub(crate) fn live_text(self, read: impl Fn() -> String + Send + 'static) -> Self {
        self.shared_text(shared(read))
    }

    #[inline(never)]
    fn shared_text(mut self, read: SharedReactiveFunction<String>) -> Self {
        self.0.children.push(read.into_any());
        self
    }

    /// An element inside.
    #[inline(never)]
    pub(crate) fn with(mut self, child: Self) -> Self {
        self.0.children.push(child.done());
        self
    }

    /// An element inside, if there is one. Its place is kept either way.
    #[inline(never)]
    pub(crate) fn maybe(mut self, child: Option<Self>) -> Self {
        self.0.children.push(child.map_or_else(|| ().into_any(), Self::done));
        self
    }

    /// Any view inside.
    #[inline(never)]
    pub(crate) fn view(mut self, child: AnyView) -> Self {
        self.0.children.push(child);
        self
    }

    /// The element as a view.
    #[inline(never)]
    pub(crate) fn done(self) -> AnyView {
        let Parts { tag, attributes, children } = *self.0;
        custom(tag).add_any_attr(attributes).child(StaticVec::from(children)).into_any()
    }
}

/// Several views in a row.
#[inline(never)]
pub(crate) fn group(views: Vec<AnyView>) -> AnyView {
    StaticVec::from(views).into_any()
}

/// A view that follows what `read` reads; elements that stay alike stay the same elements.
pub(crate) fn live(read: impl Fn() -> AnyView + Send + 'static) -> AnyView {
    shared(read).into_any()
}

/// What tells one view of [`each`] from another.
pub(crate) type Key = (String, u32);

/// One view per key. A key that stays keeps its view, and the view is not drawn anew.
pub(crate) fn each(
    keys: impl Fn() -> Vec<Key> + Send + 'static,
    view: impl Fn(Key) -> AnyView + Send + Sync + 'static,
) -> AnyView {
    each_of(Box::new(keys), Arc::new(view))
}

#[inline(never)]
fn each_of(
    keys: Box<dyn Fn() -> Vec<Key> + Send>,
    view: Arc<dyn Fn(Key) -> AnyView + Send + Sync>,
) -> AnyView {
    let view = move |key| untrack(|| view(key));
    view! { <For each=keys key=Key::clone children=view/> }.into_any()
}

/// A view while `shown` holds.
pub(crate) fn when(
    shown: impl Fn() -> bool + Send + 'static,
    view: impl Fn() -> AnyView + Send + Sync + 'static,
) -> AnyView {
    each(move || if shown() { vec![(String::new(), 0)] } else { Vec::new() }, move |_| view())
}

/// Text that only readers without the visual context need.
pub(crate) fn hidden(text: &'static str) -> El {
    el_of("SPAN", "vh").say(text)
}

/// A button; `class` says which kind.
pub(crate) fn button(class: &'static str, act: impl Fn() + 'static) -> El {
    el_of("BUTTON", class).attr("type", "button").on("click", move |_| act())
}
