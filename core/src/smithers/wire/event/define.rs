//! What is made of the table of events.

/// Makes the type of an event and its body of one table.
macro_rules! events {
    ($(
        $(#[$meta:meta])*
        $name:ident $word:literal ($scope:ident, $category:ident, $severity:ident) {
            $( $field:ident: $type:ty = $wire:literal ),* $(,)?
        }
    )+) => {
        crate::vocabulary! {
            /// The type of an event: seed 003's, and those that Smithers 0.32 added (protocol section 4).
            ///
            /// ```
            /// use runstate::smithers::wire::{Category, EventType, Severity};
            /// use runstate::word::Vocabulary;
            ///
            /// let heartbeat = EventType::from_word("TaskHeartbeat").unwrap();
            /// assert_eq!((heartbeat.category(), heartbeat.severity()), (Category::Heartbeat, Severity::Trace));
            /// assert_eq!(EventType::TimerCancelled.field_names(), ["timerId"]);
            /// ```
            pub enum EventType ("type of event") {
                $( $(#[$meta])* $name = $word ),+
            }
        }

        impl EventType {
            /// What the event belongs to.
            pub fn scope(self) -> Scope {
                match self { $( Self::$name => Scope::$scope ),+ }
            }

            /// What the event is about.
            pub fn category(self) -> Category {
                match self { $( Self::$name => Category::$category ),+ }
            }

            /// How the event weighs by its type alone.
            pub fn severity(self) -> Severity {
                match self { $( Self::$name => Severity::$severity ),+ }
            }

            /// The fields beside those of the scope, as the wire writes them.
            pub fn field_names(self) -> &'static [&'static str] {
                match self { $( Self::$name => &[$( $wire ),*] ),+ }
            }
        }

        /// What an event says beside what it belongs to.
        #[derive(Clone, Debug, PartialEq)]
        pub enum EventBody {
            $(
                $(#[$meta])*
                $name {
                    $( #[doc = concat!("The field `", $wire, "`.")] $field: $type ),*
                },
            )+
            /// A type that Runstate does not know: the whole event, byte for byte.
            Foreign(Json),
        }

        impl EventBody {
            /// The fields that the event has, as the wire writes them, each with its value as JSON. For a type that is not known:
            /// nothing, the whole event is kept instead.
            ///
            /// ```
            /// use runstate::smithers::wire::Event;
            ///
            /// let event = Event::from_json(
            ///     r#"{"type":"TimerCancelled","runId":"r","timerId":"nap","timestampMs":5,"extra":"not in the contract"}"#,
            /// )?;
            /// assert_eq!(event.body.fields(), [("timerId", r#""nap""#.to_owned())]);
            /// # Ok::<(), runstate::json::ReadError>(())
            /// ```
            pub fn fields(&self) -> Vec<(&'static str, String)> {
                let fields = match self {
                    $( Self::$name { $( $field ),* } => vec![$( ($wire, $field.write()) ),*], )+
                    Self::Foreign(_) => Vec::new(),
                };
                fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
            }

            pub(super) fn read(event_type: EventType, slice: Slice<'_>) -> Result<Self, ReadError> {
                match event_type {
                    $(
                        EventType::$name => {
                            let [$( $field ),*] = fields(slice, [$( $wire ),*])?;
                            Ok(Self::$name { $( $field: read::<$type>(slice, $wire, $field)? ),* })
                        }
                    )+
                }
            }
        }
    };
}
