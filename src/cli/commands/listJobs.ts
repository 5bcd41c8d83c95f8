import { readJobs } from "../../core/jobs/documents/jobFolder.js";
import { liveRunners } from "../../core/jobs/work/runners.js";
import { exitCode } from "../terminal/exitCode.js";
import { jobView } from "../../core/jobs/jobView.js";
import { machine } from "../session/machine.js";
import { nextLine } from "../terminal/nextLine.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

export async function listJobs(options: Options, terminal: Terminal): Promise<number> {
  const { files, lock } = machine(await workspaceRoot(options.workspace), "rooroo job list");
  const jobs = await Promise.all(
    (await readJobs(files)).map(async (job) =>
      jobView(job, await liveRunners(job.log, lock), new Date()),
    ),
  );
  if (options.json === true) {
    terminal.print(`${terminalJson({ jobs }, 2)}\n`);
    return exitCode.done;
  }
  if (jobs.length === 0) terminal.print("No jobs: .jixo has no *.job.md file.\n");
  for (const view of jobs) {
    const { name, title, progress, openQuestions } = view;
    const asks = openQuestions.length === 0 ? "" : terminal.style.yellow("  ? waits for an answer");
    const about = title === null ? "" : terminal.style.dim(`  ${terminalLine(title, 60)}`);
    terminal.print(`${String(progress).padStart(4)}%  ${terminalLine(name, 60)}${about}${asks}\n`);
    terminal.print(`       ${nextLine(view, 90)}\n`);
  }
  return exitCode.done;
}
