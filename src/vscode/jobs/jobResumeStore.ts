import type * as vscode from "vscode";
import * as z from "zod";
import type { FileSystem } from "../../core/ports.js";
import type { JobRun } from "../../core/jobs/work/outerLoop.js";
import { ResumeStore } from "../work/resumeStore.js";

const schema = z.object({
  name: z.string(),
  runners: z.int().min(1),
  quota: z.int().min(1),
  most: z.int().min(1).optional(),
  until: z
    .string()
    .transform((text) => new Date(text))
    .refine((time) => !Number.isNaN(time.getTime()))
    .optional(),
  waits: z.boolean().optional(),
});

/** Stores which jobs this editor runs in a workspace, and how, so that the next window can resume them. */
export class JobResumeStore extends ResumeStore<JobRun> {
  constructor(storage: FileSystem | undefined, log: vscode.LogOutputChannel) {
    super(storage, log, "jobs.json", schema);
  }
}
