//! Icons: Lucide outlines in the colour of the text around them.

use icondata_core::Icon as Outline;
use leptos::prelude::*;
use runstate::pill::Icon;

/// An icon of the pill catalogue. Decorative: the word beside it says the same.
#[component]
pub(crate) fn Glyph(icon: Icon) -> impl IntoView {
    view! { <IconOf outline=outline(icon)/> }
}

/// Any Lucide outline, for buttons and panes. Decorative.
#[component]
pub(crate) fn IconOf(
    /// The outline.
    outline: Outline,
) -> impl IntoView {
    view! { <svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false" inner_html=outline.data></svg> }
}

/// The outline of each icon word. Lucide has since renamed `circle-help`; the shape is the same.
fn outline(icon: Icon) -> Outline {
    #[allow(clippy::wildcard_imports, reason = "each outline is named once, right below")]
    use icondata_lu::*;
    match icon {
        Icon::Activity => LuActivity,
        Icon::Archive => LuArchive,
        Icon::ArrowUpRight => LuArrowUpRight,
        Icon::Box => LuBox,
        Icon::Check => LuCheck,
        Icon::ChevronsRight => LuChevronsRight,
        Icon::CircleDashed => LuCircleDashed,
        Icon::CircleQuestionMark => LuCircleHelp,
        Icon::CircleX => LuCircleX,
        Icon::ClipboardCheck => LuClipboardCheck,
        Icon::Clock => LuClock,
        Icon::ClockAlert => LuClockAlert,
        Icon::CloudOff => LuCloudOff,
        Icon::Contrast => LuContrast,
        Icon::FileX => LuFileX,
        Icon::Flag => LuFlag,
        Icon::Gauge => LuGauge,
        Icon::Ghost => LuGhost,
        Icon::Hand => LuHand,
        Icon::Heart => LuHeart,
        Icon::HeartOff => LuHeartOff,
        Icon::HeartPulse => LuHeartPulse,
        Icon::Hourglass => LuHourglass,
        Icon::Inbox => LuInbox,
        Icon::Link => LuLink,
        Icon::Link2Off => LuLink2Off,
        Icon::Lock => LuLock,
        Icon::Merge => LuMerge,
        Icon::Minus => LuMinus,
        Icon::Moon => LuMoon,
        Icon::OctagonAlert => LuOctagonAlert,
        Icon::Pause => LuPause,
        Icon::Pencil => LuPencil,
        Icon::Plug => LuPlug,
        Icon::PowerOff => LuPowerOff,
        Icon::Radio => LuRadio,
        Icon::Redo2 => LuRedo2,
        Icon::RefreshCw => LuRefreshCw,
        Icon::RotateCcw => LuRotateCcw,
        Icon::RotateCw => LuRotateCw,
        Icon::ShieldBan => LuShieldBan,
        Icon::Skull => LuSkull,
        Icon::Slash => LuSlash,
        Icon::Square => LuSquare,
        Icon::SquareDashed => LuSquareDashed,
        Icon::StepForward => LuStepForward,
        Icon::ThumbsDown => LuThumbsDown,
        Icon::ThumbsUp => LuThumbsUp,
        Icon::TriangleAlert => LuTriangleAlert,
        Icon::Unlink => LuUnlink,
        Icon::Webhook => LuWebhook,
        Icon::WifiOff => LuWifiOff,
        Icon::Wrench => LuWrench,
    }
}
