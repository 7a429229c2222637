// The components and the tables that all workflows of this folder share.
import { existsSync } from "node:fs";
import { createSmithers } from "smithers-orchestrator";
import { z } from "zod";

export const api = createSmithers(
  {
    note: z.object({ text: z.string(), n: z.number().optional() }),
    decision: z.object({
      approved: z.boolean(),
      note: z.string().nullable().optional(),
      decidedBy: z.string().nullable(),
      decidedAt: z.string().nullable(),
    }),
    signal: z.object({ value: z.string() }),
  },
  { dbPath: process.env.RUNSTATE_DB ?? "./smithers.db" },
);

export const { Workflow, Task, Approval, Sequence, Parallel, Loop, Timer, smithers, outputs } = api;

/** Whether a step may end: the file `path`, by which a test says so, is there; always without a path. */
export const mayEnd = (path: unknown) => path === undefined || existsSync(String(path));

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
