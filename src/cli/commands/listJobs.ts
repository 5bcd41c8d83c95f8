import { readJobs } from "../../core/jobs/documents/jobFolder.js";
import { liveRunners } from "../../core/jobs/work/runners.js";
import { exitCode } from "../terminal/exitCode.js";
import { jobOverview } from "../../core/jobs/jobOverview.js";
import { machine } from "../session/machine.js";
import { jobJson, nextLine } from "../terminal/jobText.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

export async function listJobs(options: Options, terminal: Terminal): Promise<number> {
  const { files, lock } = machine(await workspaceRoot(options.workspace), "rooroo job list");
  const jobs = await Promise.all(
    (await readJobs(files)).map(async (job) => {
      const holders = await liveRunners(job.log, lock);
      return { job, view: jobOverview(job, { live: [], holders, isRun: false }, new Date()) };
    }),
  );
  if (options.json === true) {
    terminal.print(
      `${terminalJson({ jobs: jobs.map(({ job, view }) => jobJson(job, view)) }, 2)}\n`,
    );
    return exitCode.done;
  }
  if (jobs.length === 0) terminal.print("No jobs: .jixo has no *.job.md file.\n");
  for (const { view } of jobs) {
    const { name, title, progress, questions } = view;
    const isAsking = questions.some(({ answer }) => answer === null);
    const asks = isAsking ? terminal.style.yellow("  ? waits for an answer") : "";
    const about = title === null ? "" : terminal.style.dim(`  ${terminalLine(title, 60)}`);
    terminal.print(`${String(progress).padStart(4)}%  ${terminalLine(name, 60)}${about}${asks}\n`);
    terminal.print(`       ${nextLine(view, 90)}\n`);
  }
  return exitCode.done;
}
