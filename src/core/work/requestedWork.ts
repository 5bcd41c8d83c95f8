import * as z from "zod";

/** A run that a person has asked for. */
const requestedRunSchema = z.object({
  request: z.string(),
  /** Whether the person says that it is a single command. Absent: a model judges. */
  isSimple: z.boolean().optional(),
  /** The runs' directory as the person named it. Absent: the usual one. */
  directory: z.string().optional(),
});
export type RequestedRun = z.infer<typeof requestedRunSchema>;

const count = z.int().min(1);

/** A job that a person wants to run, and how. What is absent is as the settings or the command line have it. */
const requestedJobSchema = z.object({
  name: z.string(),
  runners: count.optional(),
  quota: count.optional(),
  most: count.optional(),
  /** ISO 8601. */
  until: z.iso.datetime().optional(),
  waits: z.boolean().optional(),
  budget: z
    .object({
      requests: z.number().optional(),
      tokens: z.number().optional(),
      cost: z.number().optional(),
    })
    .optional(),
});
export type RequestedJob = z.infer<typeof requestedJobSchema>;

/** Long work that a person has asked for. */
export const requestedWorkSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("run"), run: requestedRunSchema }),
  z.object({ kind: z.literal("job"), job: requestedJobSchema }),
]);
export type RequestedWork = z.infer<typeof requestedWorkSchema>;

/** What a person has asked for, as it is written down until its own records show it. */
export interface Beginning {
  /** What it had become when it was interrupted. */
  readonly became?: string | undefined;
  /** Writes down what it becomes, before that is made: begun again, it is that and nothing new. */
  becomes(id: string): Promise<void>;
  /** Something else shows from now on what became of it. */
  end(): Promise<void>;
  /** Nothing begins here: it stays in the lists, to be begun again. */
  leave(): Promise<void>;
}
