// The core's side: a program that runs a round for each line on its standard input.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export function native(program, folder) {
  const child = spawn(program, [folder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async round(name) {
      child.stdin.write(`${name}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`the native program ended in the case ${name}`);
      return JSON.parse(value);
    },
    end: () => child.stdin.end(),
  };
}
