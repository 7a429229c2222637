// The elements in JSX of React 19: `import type {} from "runstate/elements/react"`.
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type {
  RunstateDocument,
  RunstatePanel,
  RunstatePanelAttributes,
  RunstatePanelEventMap,
  RunstatePill,
  RunstatePillAttributes,
  RunstatePillEventMap,
} from "./index.js";

type Events<EventMap> = { [Name in keyof EventMap as `on${Name & string}`]?: (event: EventMap[Name]) => void };
type Html<Element> = DetailedHTMLProps<HTMLAttributes<Element>, Element>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "runstate-panel": Html<RunstatePanel> &
        RunstatePanelAttributes &
        Events<RunstatePanelEventMap> & { token?: string; document?: RunstateDocument };
      "runstate-pill": Html<RunstatePill> & RunstatePillAttributes & Events<RunstatePillEventMap> & { value?: object };
    }
  }
}
