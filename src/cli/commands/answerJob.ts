import { answerJob as answer } from "../../core/jobs/answerJob.js";
import { exitCode } from "../terminal/exitCode.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalText } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";
import { WrongUse } from "./wrongUse.js";

/** Answers a job's question. Returns `undefined` if no job asks it: the id may be a task's. */
export async function answerJob(
  questionId: string,
  text: string,
  options: Options,
  terminal: Terminal,
): Promise<number | undefined> {
  const parts = machine(await workspaceRoot(options.workspace), "rooroo answer");
  if (text.trim() === "") throw new WrongUse("The answer is empty. Say something.");
  const job = await answer(questionId, text, parts);
  if (job === undefined) return undefined;
  const { name, jobPath } = job;
  const said = `The answer is in ${terminalText(jobPath)}; the next lifecycle of ${terminalText(name)} works it in.\n`;
  terminal.print(options.json === true ? `${terminalJson({ job: name, jobPath })}\n` : said);
  return exitCode.done;
}
