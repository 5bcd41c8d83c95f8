import type { Job } from "../../core/jobs/documents/jobFolder.js";
import { liveRunners } from "../../core/jobs/work/runners.js";
import { type LiveRunner, RunnerRecords } from "../../core/jobs/work/runnerRecords.js";
import { exitCode } from "../terminal/exitCode.js";
import { type JobOverview, jobOverview } from "../../core/jobs/jobOverview.js";
import { knownJob } from "./knownJob.js";
import { machine } from "../session/machine.js";
import { jobJson, nextLine } from "../terminal/jobText.js";
import type { Options } from "../session/options.js";
import type { Style } from "../terminal/style.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine, terminalText } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

export async function showJob(name: string, options: Options, terminal: Terminal): Promise<number> {
  const { files, lock } = machine(await workspaceRoot(options.workspace), "rooroo job status");
  const job = await knownJob(name, files);
  const holders = await liveRunners(job.log, lock);
  const view = jobOverview(job, { live: [], holders, isRun: false }, new Date());
  const runners = await new RunnerRecords(files, lock, job.stem).alive();
  const text =
    options.json === true
      ? `${terminalJson({ ...jobJson(job, view), runners }, 2)}\n`
      : viewText(job, view, runners, terminal.style);
  terminal.print(text);
  return exitCode.done;
}

function viewText(
  { file, logPath }: Job,
  view: JobOverview,
  runners: readonly LiveRunner[],
  style: Style,
): string {
  const { name, title, jobPath, progress, taskCounts, staleLocks, logProblemCount } = view;
  const counts = Object.entries(taskCounts).map(([status, count]) => `${count} ${status}`);
  const lines = [
    `${style.bold(terminalLine(title ?? name, 100))}  ${style.dim(terminalText(jobPath))}`,
    `  ${progress}% done${counts.length === 0 ? ", no tasks yet" : `: ${counts.join(", ")}`}`,
  ];
  if (staleLocks.length > 0) {
    const ids = terminalLine(staleLocks.join(", "), 100);
    lines.push(`  ${style.yellow("!")} Locked by runners that are not known to be alive: ${ids}`);
  }
  for (const { role, objective, turn, quota, holder } of runners) {
    const who = `${role}, turn ${turn} of ${quota}: ${objective} (${holder.label}, process ${holder.pid})`;
    lines.push(`  ${style.green("▸")} ${terminalLine(who, 200)}`);
  }
  lines.push(`  ${nextLine(view, 200)}`);
  for (const { id, text, line } of view.questions.filter(({ answer }) => answer === null)) {
    lines.push(`  ${style.yellow("?")} ${terminalLine(`${id}: ${text}`, 200)}`);
    const where = `answer in ${terminalText(jobPath)}, line ${line}`;
    lines.push(style.dim(`    ${where}, or by: rooroo answer ${terminalText(id)} "…"`));
  }
  for (const { row, message } of file.problems) {
    lines.push(`  ${style.yellow("!")} ${terminalLine(`${jobPath}:${row + 1}: ${message}`, 200)}`);
  }
  if (logProblemCount > 0) {
    const count = logProblemCount === 1 ? "1 problem" : `${logProblemCount} problems`;
    lines.push(`  ${count} in the log: rooroo validate job-log ${terminalText(logPath)}`);
  }
  return `${lines.join("\n")}\n`;
}
