// The elements in JSX of React 19: `import type {} from "runstate/elements/react"`.
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { RunstateDocument, RunstatePanel, RunstatePanelAttributes, RunstatePanelEventMap, RunstatePill, RunstatePillAttributes } from "./index.js";

type Events = { [Name in keyof RunstatePanelEventMap as `on${Name}`]?: (event: RunstatePanelEventMap[Name]) => void };
type Html<Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "runstate-panel": Html<RunstatePanel> & RunstatePanelAttributes & Events & { token?: string; document?: RunstateDocument };
      "runstate-pill": Html<RunstatePill> & RunstatePillAttributes & { value?: object };
    }
  }
}
