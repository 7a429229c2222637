// Ends well after three short steps.
import { outputs, Sequence, sleep, smithers, Task, Workflow } from "./_api";

export default smithers(() => (
  <Workflow name="finish">
    <Sequence>
      <Task id="plan" label="Plan the work" output={outputs.note}>
        {{ text: "planned" }}
      </Task>
      <Task id="work" output={outputs.note}>
        {async () => {
          await sleep(200);
          return { text: "worked" };
        }}
      </Task>
      <Task id="report" output={outputs.note}>
        {{ text: "reported" }}
      </Task>
    </Sequence>
  </Workflow>
));
