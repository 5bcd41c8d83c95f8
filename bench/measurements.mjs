import { activation } from "./measure/activation.mjs";
import { commands } from "./measure/commands.mjs";
import { conversation } from "./measure/conversation.mjs";
import { edits } from "./measure/edits.mjs";
import { jobLogs } from "./measure/jobLogs.mjs";
import { jobRuns } from "./measure/jobRuns.mjs";
import { jobTokens } from "./measure/jobTokens.mjs";
import { longTask } from "./measure/longTask.mjs";
import { overview } from "./measure/overview.mjs";
import { panel } from "./measure/panel.mjs";
import { posted } from "./measure/posted.mjs";
import { prompts } from "./measure/prompts.mjs";
import { queue } from "./measure/queue.mjs";
import { recovery } from "./measure/recovery.mjs";
import { replay } from "./measure/replay.mjs";
import { replies } from "./measure/replies.mjs";
import { routing } from "./measure/routing.mjs";
import { runCalls } from "./measure/runCalls.mjs";
import { runs } from "./measure/runs.mjs";
import { sandbox } from "./measure/sandbox.mjs";
import { search } from "./measure/search.mjs";
import { sizes } from "./measure/sizes.mjs";
import { team } from "./measure/team.mjs";
import { transcript } from "./measure/transcript.mjs";
import { turn } from "./measure/turn.mjs";
import { worktrees } from "./measure/worktrees.mjs";

/**
 * @typedef {object} Section
 * @property {(options: { quick: boolean, corpora?: string }) => Promise<import("./harness/row.mjs").Row[]>} measure
 * @property {number} minutes After these it is ended, on however busy a machine.
 */

/** The same for the quick form of each. */
export const quickMinutes = 5;

/**
 * By the name that `--only` takes, in the table's order.
 *
 * @type {Record<string, Section>}
 */
export const measurements = {
  sizes: { measure: sizes, minutes: 10 },
  activation: { measure: activation, minutes: 10 },
  panel: { measure: panel, minutes: 10 },
  conversation: { measure: conversation, minutes: 25 },
  posted: { measure: posted, minutes: 5 },
  turn: { measure: turn, minutes: 5 },
  edits: { measure: edits, minutes: 5 },
  commands: { measure: commands, minutes: 5 },
  transcript: { measure: transcript, minutes: 5 },
  longTask: { measure: longTask, minutes: 10 },
  queue: { measure: queue, minutes: 5 },
  overview: { measure: overview, minutes: 10 },
  jobLogs: { measure: jobLogs, minutes: 5 },
  jobRuns: { measure: jobRuns, minutes: 15 },
  runs: { measure: runs, minutes: 10 },
  jobTokens: { measure: jobTokens, minutes: 5 },
  runCalls: { measure: runCalls, minutes: 5 },
  recovery: { measure: recovery, minutes: 5 },
  prompts: { measure: prompts, minutes: 5 },
  replies: { measure: replies, minutes: 5 },
  replay: { measure: replay, minutes: 10 },
  routing: { measure: routing, minutes: 5 },
  sandbox: { measure: sandbox, minutes: 5 },
  search: { measure: search, minutes: 10 },
  worktrees: { measure: worktrees, minutes: 10 },
  team: { measure: team, minutes: 25 },
};
