//! The icons of pills.

crate::vocabulary! {
    /// A Lucide icon, by its Lucide name. Within a taxonomy every word has another icon, so that colour is not the only difference.
    ///
    /// ```
    /// use runstate::pill::{Taxonomy, pill};
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(pill(Taxonomy::Effective, "stale running").icon.as_str(), "heart-off");
    /// ```
    pub enum Icon ("icon") {
        /// `activity`.
        Activity = "activity",
        /// `archive`.
        Archive = "archive",
        /// `arrow-up-right`.
        ArrowUpRight = "arrow-up-right",
        /// `box`.
        Box = "box",
        /// `check`.
        Check = "check",
        /// `chevrons-right`.
        ChevronsRight = "chevrons-right",
        /// `circle-dashed`.
        CircleDashed = "circle-dashed",
        /// `circle-question-mark`.
        CircleQuestionMark = "circle-question-mark",
        /// `circle-x`.
        CircleX = "circle-x",
        /// `clipboard-check`.
        ClipboardCheck = "clipboard-check",
        /// `clock`.
        Clock = "clock",
        /// `clock-alert`.
        ClockAlert = "clock-alert",
        /// `cloud-off`.
        CloudOff = "cloud-off",
        /// `contrast`.
        Contrast = "contrast",
        /// `eye`.
        Eye = "eye",
        /// `file-x`.
        FileX = "file-x",
        /// `flag`.
        Flag = "flag",
        /// `gauge`.
        Gauge = "gauge",
        /// `ghost`.
        Ghost = "ghost",
        /// `hand`.
        Hand = "hand",
        /// `heart`.
        Heart = "heart",
        /// `heart-off`.
        HeartOff = "heart-off",
        /// `heart-pulse`.
        HeartPulse = "heart-pulse",
        /// `hourglass`.
        Hourglass = "hourglass",
        /// `inbox`.
        Inbox = "inbox",
        /// `link`.
        Link = "link",
        /// `link-2-off`.
        Link2Off = "link-2-off",
        /// `lock`.
        Lock = "lock",
        /// `merge`.
        Merge = "merge",
        /// `minus`.
        Minus = "minus",
        /// `moon`.
        Moon = "moon",
        /// `octagon-alert`.
        OctagonAlert = "octagon-alert",
        /// `pause`.
        Pause = "pause",
        /// `pencil`.
        Pencil = "pencil",
        /// `plug`.
        Plug = "plug",
        /// `power-off`.
        PowerOff = "power-off",
        /// `radio`.
        Radio = "radio",
        /// `redo-2`.
        Redo2 = "redo-2",
        /// `refresh-cw`.
        RefreshCw = "refresh-cw",
        /// `rotate-ccw`.
        RotateCcw = "rotate-ccw",
        /// `rotate-cw`.
        RotateCw = "rotate-cw",
        /// `rss`.
        Rss = "rss",
        /// `shield-ban`.
        ShieldBan = "shield-ban",
        /// `skull`.
        Skull = "skull",
        /// `slash`.
        Slash = "slash",
        /// `square`.
        Square = "square",
        /// `square-dashed`.
        SquareDashed = "square-dashed",
        /// `step-forward`.
        StepForward = "step-forward",
        /// `thumbs-down`.
        ThumbsDown = "thumbs-down",
        /// `thumbs-up`.
        ThumbsUp = "thumbs-up",
        /// `triangle-alert`.
        TriangleAlert = "triangle-alert",
        /// `unlink`.
        Unlink = "unlink",
        /// `webhook`.
        Webhook = "webhook",
        /// `wifi-off`.
        WifiOff = "wifi-off",
        /// `wrench`.
        Wrench = "wrench",
    }
}
