//! Icons: Lucide outlines in the colour of the text around them.

use leptos::prelude::*;
use runstate::pill::Icon;

/// An icon of the pill catalogue. Decorative: the word beside it says the same.
pub(crate) fn glyph(icon: Icon) -> AnyView {
    icon_of(outline(icon))
}

/// Any Lucide outline, for buttons and panes. Decorative.
#[inline(never)]
pub(crate) fn icon_of(outline: &'static str) -> AnyView {
    view! { <svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false" inner_html=outline></svg> }
        .into_any()
}

/// The outline of each icon word. Lucide has since renamed `circle-help`; the shape is the same.
fn outline(icon: Icon) -> &'static str {
    #[allow(clippy::wildcard_imports, reason = "each outline is named once, right below")]
    use icondata_lu::*;
    match icon {
        Icon::Activity => LuActivity.data,
        Icon::Archive => LuArchive.data,
        Icon::ArrowUpRight => LuArrowUpRight.data,
        Icon::Box => LuBox.data,
        Icon::Check => LuCheck.data,
        Icon::ChevronsRight => LuChevronsRight.data,
        Icon::CircleDashed => LuCircleDashed.data,
        Icon::CircleQuestionMark => LuCircleHelp.data,
        Icon::CircleX => LuCircleX.data,
        Icon::ClipboardCheck => LuClipboardCheck.data,
        Icon::Clock => LuClock.data,
        Icon::ClockAlert => LuClockAlert.data,
        Icon::CloudOff => LuCloudOff.data,
        Icon::Contrast => LuContrast.data,
        Icon::FileX => LuFileX.data,
        Icon::Flag => LuFlag.data,
        Icon::Gauge => LuGauge.data,
        Icon::Ghost => LuGhost.data,
        Icon::Hand => LuHand.data,
        Icon::Heart => LuHeart.data,
        Icon::HeartOff => LuHeartOff.data,
        Icon::HeartPulse => LuHeartPulse.data,
        Icon::Hourglass => LuHourglass.data,
        Icon::Inbox => LuInbox.data,
        Icon::Link => LuLink.data,
        Icon::Link2Off => LuLink2Off.data,
        Icon::Lock => LuLock.data,
        Icon::Merge => LuMerge.data,
        Icon::Minus => LuMinus.data,
        Icon::Moon => LuMoon.data,
        Icon::OctagonAlert => LuOctagonAlert.data,
        Icon::Pause => LuPause.data,
        Icon::Pencil => LuPencil.data,
        Icon::Plug => LuPlug.data,
        Icon::PowerOff => LuPowerOff.data,
        Icon::Radio => LuRadio.data,
        Icon::Redo2 => LuRedo2.data,
        Icon::RefreshCw => LuRefreshCw.data,
        Icon::RotateCcw => LuRotateCcw.data,
        Icon::RotateCw => LuRotateCw.data,
        Icon::ShieldBan => LuShieldBan.data,
        Icon::Skull => LuSkull.data,
        Icon::Slash => LuSlash.data,
        Icon::Square => LuSquare.data,
        Icon::SquareDashed => LuSquareDashed.data,
        Icon::StepForward => LuStepForward.data,
        Icon::ThumbsDown => LuThumbsDown.data,
        Icon::ThumbsUp => LuThumbsUp.data,
        Icon::TriangleAlert => LuTriangleAlert.data,
        Icon::Unlink => LuUnlink.data,
        Icon::Webhook => LuWebhook.data,
        Icon::WifiOff => LuWifiOff.data,
        Icon::Wrench => LuWrench.data,
    }
}
