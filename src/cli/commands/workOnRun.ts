import type { Signal } from "../../core/runs/decideRun.js";
import type { RunAction } from "../../core/runs/takeUp.js";
import type { Options } from "../session/options.js";
import { runFiles } from "./runFiles.js";
import { runNamed } from "./runNamed.js";
import type { Terminal } from "../terminal/terminal.js";
import { work } from "./work.js";

/** An action as the user gave it: `run` may be a unique end of an id, or absent. */
type Said =
  | Extract<RunAction, { type: "start" }>
  | { readonly type: "resume"; readonly run: string | undefined }
  | { readonly type: "decide"; readonly run: string | undefined; readonly signal: Signal };

export async function workOnRun(
  said: Said,
  directory: string | undefined,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const { store, layout } = await runFiles(options, directory);
  const wanted = said.type === "decide" ? "AWAITING_CONFIRMATION" : "PENDING";
  const runId = (run: string | undefined) =>
    runNamed(run, ({ status }) => status === wanted, store);
  const action: RunAction =
    said.type === "start"
      ? said
      : said.type === "resume"
        ? { type: "resume", runId: await runId(said.run) }
        : { type: "decide", runId: await runId(said.run), signal: said.signal };
  return work({ type: "run", action, layout, directory }, options, terminal);
}
