// Fails in its second step; the third is never reached.
import { outputs, Sequence, smithers, Task, Workflow } from "./_api";

export default smithers(() => (
  <Workflow name="fail">
    <Sequence>
      <Task id="fetch" output={outputs.note}>
        {{ text: "fetched" }}
      </Task>
      <Task id="write" noRetry output={outputs.note}>
        {() => {
          throw new Error("disk is full: cannot write out.bin");
        }}
      </Task>
      <Task id="verify" output={outputs.note}>
        {{ text: "verified" }}
      </Task>
    </Sequence>
  </Workflow>
));
