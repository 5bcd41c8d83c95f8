import { ModelError } from "../../src/core/errors.js";
import type { LanguageModel, ModelRequest } from "../../src/core/ports/model.js";
import type { Clock } from "../../src/core/ports/system.js";
import { does, judges, plans } from "../fakes/jobStage.js";
import { calls } from "../fakes/navigatorWorld.js";
import { ScriptedModel, type ScriptedResponse } from "../fakes/scriptedModel.js";
import { wantedKills } from "./kills.js";

const areMany = wantedKills !== undefined;
export const phases = areMany ? 10 : 5;
const perPhase = areMany ? 20 : 12;

/** What becomes of a task: its title's first word. */
type Kind = "Write" | "Share" | "Command" | "Slip" | "Ask" | "Fail" | "Stick" | "Hopeless";

function kindOf(index: number): Kind {
  const rare: Readonly<Record<number, Kind>> = { 3: "Ask", 8: "Fail", 13: "Stick", 18: "Hopeless" };
  const own = rare[index % 25];
  if (own !== undefined) return own;
  if (index % 5 === 1) return "Share";
  if (index % 10 === 4) return "Command";
  return index % 20 === 9 ? "Slip" : "Write";
}

/** The tasks that the first plan has, by their numbers. */
export const nightTasks: ReadonlyMap<string, Kind> = new Map(
  Array.from({ length: phases * perPhase }, (_, index) => [
    `${Math.floor(index / perPhase) + 1}.${(index % perPhase) + 1}`,
    kindOf(index),
  ]),
);

/** Returns a file that the tasks of a phase share: each has a line of its own. */
export function sharedFile(phase: number): string {
  const lines = [...nightTasks.keys()].filter((id) => id.startsWith(`${phase}.`));
  return `${lines.map((id) => `task ${id} is open\n\n\n`).join("")}end\n`;
}

/** When the server does not answer, in minutes since the night began: half an hour, twice, and then a gateway's page does. */
const outages = areMany
  ? ([
      [60, 90, "server"],
      [200, 230, "rateLimited"],
      [250, 265, "brokenResponse"],
    ] as const)
  : ([
      [20, 50, "server"],
      [70, 100, "rateLimited"],
      [110, 125, "brokenResponse"],
    ] as const);

/**
 * Returns a model that works through a night as real ones do: it makes slips, asks, fails, gets stuck, and does not answer for
 * more than an hour in all. What it says follows from the request alone, so that any process can ask it.
 */
export function nightModel(clock: Clock, began: Date): LanguageModel {
  return new ScriptedModel((request) => {
    const minutes = (clock.now().getTime() - began.getTime()) / 60_000;
    const outage = outages.find(([from, to]) => minutes >= from && minutes < to);
    if (outage) return { error: new ModelError(outage[2], "It does not answer.", {}) };
    if (request.forcedTool === "judge_plan") return judges(true);
    return isPlanner(request) ? planned(request) : worked(request);
  });
}

const isPlanner = ({ messages }: ModelRequest) => messages[0]?.content.includes("PLANNER") === true;

function planned({ messages }: ModelRequest): ScriptedResponse {
  const told = messages[1]?.content ?? "";
  if (told.includes("Your objective: Create the plan")) {
    const items = Array.from({ length: phases }, (_, index) => ({
      text: `${index + 1}. Phase`,
      tasks: [...nightTasks]
        .filter(([id]) => id.startsWith(`${index + 1}.`))
        .map(([id, kind]) => ({ text: `${id}. ${kind}` })),
    }));
    return plans([{ action: "add", items }]);
  }
  const [, failed = ""] = /Your objective: Plan anew what has failed: (.*)/.exec(told) ?? [];
  const ids = failed.split(", ").filter((id) => nightTasks.has(id));
  const isHopeless = (id: string) => nightTasks.get(id) === "Hopeless";
  return plans(ids.map((item) => ({ action: isHopeless(item) ? "cancel" : "retry", item })));
}

function worked({ messages }: ModelRequest): ScriptedResponse {
  const told = messages[1]?.content ?? "";
  const [, id = "", kind = ""] = /Your objective: Task ([\d.]+)\. (\w+)/.exec(told) ?? [];
  const replies = messages.filter((message) => message.role === "assistant");
  const last = messages.at(-1);
  const result = last?.role === "tool" ? last.content : undefined;
  const called = replies.at(-1)?.toolCalls[0]?.name;
  switch (kind as Kind) {
    case "Share":
      return shared(id, result, called);
    case "Slip":
      // It says that it will write, then writes broken JSON, then does it.
      if (replies.length === 0) return { text: "I will write the file now." };
      if (replies.length === 1) {
        return { toolCalls: [{ name: "write_to_file", arguments: '{"path": "src/' }] };
      }
      return written(`src/${id}.txt`, `done ${id}\n`, result, called);
    case "Command":
      return result === undefined || called !== "execute_command" || isUnknown(result)
        ? calls("execute_command", { command: `printf 'made ${id}\\n' > gen/${id}.txt` })
        : does();
    case "Ask":
      return does({
        result: "Pending",
        summary: "Only the user knows.",
        clarification: {
          question: `What about ${id}?`,
          default_plan: [{ text: `${id}. Write` }],
        },
      });
    case "Fail":
      if (!told.includes("attempts: 1")) return does({ result: "Failed", summary: "It broke." });
      return written(`src/${id}.txt`, `done ${id}\n`, result, called);
    case "Stick":
      if (!told.includes(`- Task ${id} was tried`)) {
        return does({ result: "Pending", summary: "I tried.", blocked_by: "A key is missing." });
      }
      return written(`src/${id}.txt`, `done ${id}\n`, result, called);
    case "Hopeless": {
      const end = written(`src/${id}.txt`, "half\n", result, called);
      const isOver = end.toolCalls?.[0]?.name === "attempt_completion";
      return isOver ? does({ result: "Failed", summary: "It cannot be done." }) : end;
    }
    case "Write":
      return written(`src/${id}.txt`, `done ${id}\n`, result, called);
  }
}

/** Returns whether nobody knows what became of a call. */
function isUnknown(result: string): boolean {
  return /closed while this call ran|was not done/.test(result);
}

function written(
  path: string,
  content: string,
  result: string | undefined,
  called: string | undefined,
): ScriptedResponse {
  const write = calls("write_to_file", { path, content });
  if (called === "read_file") return result?.includes(content.trim()) === true ? does() : write;
  if (called !== "write_to_file" || result === undefined) return write;
  // A slip's broken call, or one that was interrupted, or a file that is there already.
  return /Created|Wrote|created|written/.test(result) && !isUnknown(result)
    ? does()
    : result.includes("arguments")
      ? write
      : calls("read_file", { path });
}

function shared(
  id: string,
  result: string | undefined,
  called: string | undefined,
): ScriptedResponse {
  const path = `shared/${id.split(".")[0] ?? ""}.txt`;
  if (called !== "read_file" || result === undefined) {
    // Whatever became of the edit: the file says it.
    return calls("read_file", { path });
  }
  if (result.includes(`task ${id} is done`)) return does();
  const [from, to] = [`task ${id} is open`, `task ${id} is done`];
  return calls("apply_diff", {
    path,
    diff: `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE`,
  });
}
