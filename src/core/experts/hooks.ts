import * as z from "zod";
import { issueWords } from "../documents/issueWords.js";
import { joined } from "../text/joined.js";
import { type Said, words } from "../text/words.js";

/** The most hooks of one event. */
const mostHooks = 20;

const hook = z.strictObject({
  command: z.string().trim().min(1).max(4000),
  timeoutSeconds: z.number().positive().max(3600).optional(),
  outside: z.boolean().optional(),
});
const toolHook = hook.extend({ tools: z.array(z.string().min(1).max(100)).max(100).optional() });
const hooks = z.strictObject({
  beforeTool: z.array(toolHook).max(mostHooks).optional(),
  afterTool: z.array(toolHook).max(mostHooks).optional(),
  beforeTask: z.array(hook).max(mostHooks).optional(),
  afterTask: z.array(hook).max(mostHooks).optional(),
  afterPlan: z.array(hook).max(mostHooks).optional(),
});

/** A moment at which the user's own commands run. */
export type HookEvent = keyof z.infer<typeof hooks>;

/** A command of the user's own. */
export interface Hook {
  readonly command: string;
  /** Default: 60. */
  readonly timeoutSeconds?: number | undefined;
  /** Whether it runs outside of the sandbox. */
  readonly outside?: boolean | undefined;
  /**
   * The tools that it is for, by their names or by what they do: `read`, `write`, `command`, `web`, `tool`, `none`.
   * Absent: all of them.
   */
  readonly tools?: readonly string[] | undefined;
}

export type Hooks = Readonly<Partial<Record<HookEvent, readonly Hook[] | undefined>>>;

/**
 * Reads the hooks as the user has written them. One that cannot be read makes all of them unusable: it may be the one
 * that refuses something.
 */
export function readHooks(
  value: unknown,
): { readonly hooks: Hooks } | { /** What is wrong where. */ readonly problem: Said } {
  const parsed = hooks.safeParse(value ?? {});
  if (parsed.success) return { hooks: parsed.data };
  const [issue] = parsed.error.issues;
  const at = (issue?.path ?? []).map(String).join(".");
  const problem = issue === undefined ? words("it is not valid") : issueWords(issue);
  return { problem: at === "" ? problem : joined(`${at}: `, problem) };
}
