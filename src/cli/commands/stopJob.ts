import { stopJob as stop } from "../../core/jobs/jobs.js";
import { exitCode } from "../terminal/exitCode.js";
import { knownJob } from "./knownJob.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalText } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

/** Tells all runners of a job, in whichever process, to end their turns, and waits a while for them. */
export async function stopJob(name: string, options: Options, terminal: Terminal): Promise<number> {
  const parts = machine(await workspaceRoot(options.workspace), "rooroo job stop");
  const job = await knownJob(name, parts.files);
  const { found, left } = await stop(job, parts);
  const title = terminalText(job.name);
  if (options.json === true) terminal.print(`${terminalJson({ found, left })}\n`);
  else if (found === 0) terminal.print(`Nobody is at work on ${title}.\n`);
  else if (left === 0) terminal.print(`${title} has stopped; ${runners(found)}.\n`);
  else terminal.print(`${title} is to stop; still at work: ${runners(left)}.\n`);
  return left === 0 ? exitCode.done : exitCode.waiting;
}

function runners(count: number): string {
  return count === 1 ? "1 runner" : `${count} runners`;
}
