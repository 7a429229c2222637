//! Icons: Lucide outlines in the colour of the text around them.

use leptos::prelude::*;
use runstate::pill::Icon as IconName;

/// A decorative icon; the word next to it says the same.
#[component]
pub fn Icon(
    /// The content of the `svg` element.
    outline: &'static str,
) -> impl IntoView {
    view! { <svg class="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false" inner_html=outline></svg> }
}

/// The outline of an icon of the pill catalogue. Lucide has since renamed `circle-help`; the shape is the same.
pub(super) fn outline(icon: IconName) -> &'static str {
    #[allow(clippy::wildcard_imports, reason = "each outline is named once, right below")]
    use icondata_lu::*;
    match icon {
        IconName::Activity => LuActivity.data,
        IconName::Archive => LuArchive.data,
        IconName::ArrowUpRight => LuArrowUpRight.data,
        IconName::Box => LuBox.data,
        IconName::Check => LuCheck.data,
        IconName::ChevronsRight => LuChevronsRight.data,
        IconName::CircleDashed => LuCircleDashed.data,
        IconName::CircleQuestionMark => LuCircleHelp.data,
        IconName::CircleX => LuCircleX.data,
        IconName::ClipboardCheck => LuClipboardCheck.data,
        IconName::Clock => LuClock.data,
        IconName::ClockAlert => LuClockAlert.data,
        IconName::CloudOff => LuCloudOff.data,
        IconName::Contrast => LuContrast.data,
        IconName::FileX => LuFileX.data,
        IconName::Flag => LuFlag.data,
        IconName::Gauge => LuGauge.data,
        IconName::Ghost => LuGhost.data,
        IconName::Hand => LuHand.data,
        IconName::Heart => LuHeart.data,
        IconName::HeartOff => LuHeartOff.data,
        IconName::HeartPulse => LuHeartPulse.data,
        IconName::Hourglass => LuHourglass.data,
        IconName::Inbox => LuInbox.data,
        IconName::Link => LuLink.data,
        IconName::Link2Off => LuLink2Off.data,
        IconName::Lock => LuLock.data,
        IconName::Merge => LuMerge.data,
        IconName::Minus => LuMinus.data,
        IconName::Moon => LuMoon.data,
        IconName::OctagonAlert => LuOctagonAlert.data,
        IconName::Pause => LuPause.data,
        IconName::Pencil => LuPencil.data,
        IconName::Plug => LuPlug.data,
        IconName::PowerOff => LuPowerOff.data,
        IconName::Radio => LuRadio.data,
        IconName::Redo2 => LuRedo2.data,
        IconName::RefreshCw => LuRefreshCw.data,
        IconName::RotateCcw => LuRotateCcw.data,
        IconName::RotateCw => LuRotateCw.data,
        IconName::ShieldBan => LuShieldBan.data,
        IconName::Skull => LuSkull.data,
        IconName::Slash => LuSlash.data,
        IconName::Square => LuSquare.data,
        IconName::SquareDashed => LuSquareDashed.data,
        IconName::StepForward => LuStepForward.data,
        IconName::ThumbsDown => LuThumbsDown.data,
        IconName::ThumbsUp => LuThumbsUp.data,
        IconName::TriangleAlert => LuTriangleAlert.data,
        IconName::Unlink => LuUnlink.data,
        IconName::Webhook => LuWebhook.data,
        IconName::WifiOff => LuWifiOff.data,
        IconName::Wrench => LuWrench.data,
    }
}
