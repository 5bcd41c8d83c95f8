import { commands } from "./measure/commands.mjs";
import { activation } from "./measure/activation.mjs";
import { conversation } from "./measure/conversation.mjs";
import { edits } from "./measure/edits.mjs";
import { jobLogs } from "./measure/jobLogs.mjs";
import { jobRuns } from "./measure/jobRuns.mjs";
import { longTask } from "./measure/longTask.mjs";
import { panel } from "./measure/panel.mjs";
import { posted } from "./measure/posted.mjs";
import { prompts } from "./measure/prompts.mjs";
import { queue } from "./measure/queue.mjs";
import { recovery } from "./measure/recovery.mjs";
import { replay } from "./measure/replay.mjs";
import { replies } from "./measure/replies.mjs";
import { routing } from "./measure/routing.mjs";
import { jobTokens } from "./measure/jobTokens.mjs";
import { runCalls } from "./measure/runCalls.mjs";
import { runs } from "./measure/runs.mjs";
import { sandbox } from "./measure/sandbox.mjs";
import { search } from "./measure/search.mjs";
import { sizes } from "./measure/sizes.mjs";
import { transcript } from "./measure/transcript.mjs";
import { team } from "./measure/team.mjs";
import { turn } from "./measure/turn.mjs";
import { worktrees } from "./measure/worktrees.mjs";

/**
 * By the name that `--only` takes, in the table's order.
 *
 * @type {Record<string, (options: { quick: boolean, corpora?: string }) => Promise<import("./harness/row.mjs").Row[]>>}
 */
export const measurements = {
  sizes,
  activation,
  panel,
  conversation,
  posted,
  turn,
  edits,
  commands,
  transcript,
  longTask,
  queue,
  jobLogs,
  jobRuns,
  runs,
  jobTokens,
  runCalls,
  recovery,
  prompts,
  replies,
  replay,
  routing,
  sandbox,
  search,
  worktrees,
  team,
};
