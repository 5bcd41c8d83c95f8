import * as z from "zod";
import type { AgentEnd } from "../agent/loop.js";
import type { EndingTool } from "../agent/tool.js";
import type { Mode, WriteScope } from "../experts/mode.js";
import type { HiddenTest } from "../tools/hiddenFiles.js";
import { AgentSession } from "../work/agentSession.js";
import { runFunctions } from "./functions/runFunctions.js";
import { runSystemPrompt } from "./runPrompt.js";
import type { Role, RunWorld } from "./runWorld.js";

/** What an agent of a run is called for. */
export interface AgentUnit {
  /** Names its folder, `.rooroo/tasks/ID`; the same unit has the same one, and goes on from there. */
  readonly taskId: string;
  readonly role: Role;
  /** In one line, for people. */
  readonly objective: string;
  /** The person's own words that it is all for: what they ask for in them, they have asked for. */
  readonly request: string;
  /** What the agent is told of it. */
  readonly message: string;
  /** Where it may write. */
  readonly writes: WriteScope;
  /** What it may not read. */
  readonly hides?: HiddenTest;
  /** Those that it has beside its role's. */
  readonly functions?: readonly string[];
  readonly ending: EndingTool;
  /** What is to be handed in, for models without tool calling. */
  readonly inEnvelopes: string;
  readonly accept: (args: unknown) => Promise<string | undefined>;
}

export type UnitEnd =
  /** `confirm` when what follows from it is written. */
  | { readonly type: "handedIn"; readonly args: unknown; confirm(): Promise<void> }
  /** Through no fault of the work: it goes on from here when somebody has the run go on. */
  | { readonly type: "left"; readonly why: string };

/** What people are told of it. */
const handedIn = z.object({
  status: z.string().nullish(),
  summary: z.string().nullish(),
  error_log: z.string().nullish(),
});

const reading = ["list_directory", "read_file", "read_many_files", "glob", "search_file_content"];
const working = [
  ...reading,
  "write_file",
  "replace",
  "create_directory",
  "run_shell_command",
  "google_web_search",
  "web_fetch",
];
const tools: Readonly<Record<Role, readonly string[]>> = {
  Planner: reading,
  Executor: working,
  Helper: working,
  Communicator: [],
};

/** Does it by the agent loop. What was handed in before a kill is handed in again, at no cost. */
export async function agentUnit(
  unit: AgentUnit,
  guard: () => Promise<void>,
  world: RunWorld,
  signal: AbortSignal,
): Promise<UnitEnd> {
  const { taskId, role, ending, accept, inEnvelopes } = unit;
  const slug = `rooroo-run-${role.toLowerCase()}`;
  const mode: Mode = {
    slug,
    name: `Run ${role.toLowerCase()}`,
    instructions: "",
    tools: [...tools[role], ...(unit.functions ?? [])],
    writes: unit.writes,
    plainText: "slip",
    ...(unit.hides === undefined ? {} : { hides: unit.hides }),
  };
  world.tell({ type: "began", taskId, role, objective: unit.objective });
  const session = await AgentSession.open(
    {
      id: taskId,
      mode,
      goal: unit.request,
      guard,
      onEvent: (event) => {
        world.tell({ type: "agent", taskId, event });
      },
      onNotice: (text) => {
        world.tell({ type: "notice", level: "info", text });
      },
    },
    world.experts,
  );
  await session.begin({
    system: ({ shell, instructions }) => runSystemPrompt(role, shell, instructions),
    user: () => unit.message,
  });
  const end = await session.run({ tool: ending, accept, inEnvelopes }, signal, {
    ...world.experts,
    tools: runFunctions,
  });
  const told = { type: "ended", taskId, role } as const;
  if (end.type !== "completed") {
    const why = whyLeft(end);
    world.tell({ ...told, end: "Stopped", message: why });
    return { type: "left", why };
  }
  const { callId, args } = end;
  const { status, summary, error_log: log } = handedIn.parse(args);
  const isFailed = status === "FAILED";
  const message = (isFailed ? log : summary) ?? "";
  world.tell({ ...told, end: isFailed ? "Failed" : "Done", message });
  return {
    type: "handedIn",
    args,
    confirm: () => session.confirm(callId, "It is written."),
  };
}

function whyLeft(end: Exclude<AgentEnd, { type: "completed" }>): string {
  switch (end.type) {
    case "exhausted":
    case "modelFailed":
      return end.message;
    case "stopped":
      return "Stopped.";
    case "waitsForApproval":
      return `Nobody was there to allow this: ${end.intent.title}`;
    case "asks":
    case "speaks":
      throw new Error(`a mode of runs has no way to end with ${end.type}`);
  }
}
