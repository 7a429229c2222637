// Waits for the signal `deploy.finished` with the correlation id `release-7`.
import { WaitForEvent } from "smithers-orchestrator";
import { outputs, Sequence, smithers, Task, Workflow } from "./_api";

export default smithers(() => (
  <Workflow name="event">
    <Sequence>
      <Task id="announce" output={outputs.note}>
        {{ text: "announced" }}
      </Task>
      <WaitForEvent id="wait-deploy" event="deploy.finished" correlationId="release-7" output={outputs.signal} />
      <Task id="close" output={outputs.note}>
        {{ text: "closed" }}
      </Task>
    </Sequence>
  </Workflow>
));
