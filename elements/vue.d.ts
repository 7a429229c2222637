// The elements in templates of Vue 3: `import type {} from "runstate/elements/vue"`.
import type { DefineComponent } from "vue";
import type {
  RunstateAction,
  RunstateChange,
  RunstateDocument,
  RunstatePanelAttributes,
  RunstatePillAttributes,
  RunstateProblem,
} from "./index.js";

type Listener<Detail> = (event: CustomEvent<Detail>) => void;

interface Panel extends RunstatePanelAttributes {
  token?: string;
  document?: RunstateDocument;
  onRunstateReady?: Listener<null>;
  onRunstateChange?: Listener<RunstateChange>;
  onRunstateFreshness?: Listener<{ freshness?: string; previous?: string }>;
  onRunstateSelect?: Listener<{ nodeId: string }>;
  onRunstateRefusal?: Listener<RunstateProblem>;
  onRunstateError?: Listener<RunstateProblem>;
  onRunstateAction?: Listener<RunstateAction>;
}

interface Pill extends RunstatePillAttributes {
  value?: object;
  onRunstateChange?: Listener<Pick<RunstateChange, "state" | "previous">>;
}

declare module "vue" {
  interface GlobalComponents {
    "runstate-panel": DefineComponent<Panel>;
    "runstate-pill": DefineComponent<Pill>;
  }
}
