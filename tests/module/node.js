// What a bundle for Node holds: the core, and a part that is read when it is used.
import { deriveRunState, exitCode } from "runstate";

const { state } = deriveRunState({ run: { runId: "r", status: "finished" }, now: 0 });
console.log(state, exitCode("timed_out"));
