import { calls } from "./navigatorWorld.js";
import { saysWritten, type ScriptedResponse } from "./scriptedModel.js";

/**
 * Returns what an agent of a run answers that does as it is told: one stage a phase, one task a stage. The stage of the first
 * phase gets its task when it begins, the others get theirs with the phase's plan.
 *
 * @param message the first message @param results of the calls so far
 */
export function runReply(message: string, results: readonly string[]): ScriptedResponse {
  const told = taskOf(message);
  const done = (args: object) => calls("attempt_completion", { status: "SUCCESS", ...args });
  if (told.startsWith("Propose the rules that this run is to follow")) {
    const instruction = { instruction_type: "format", content: "Two pages at most" };
    return done({
      summary: "A report will be written.",
      instructions: [{ ...instruction, supersedes: [], justification: "You said so." }],
    });
  }
  if (told.startsWith("Plan the stages")) {
    const [, phase = ""] = /^The phase is (\w+):/m.exec(told) ?? [];
    const stage = { stage_name: "Stage", stage_goal: "A document" };
    const tasks = phase === "ANALYZING" ? {} : { tasks: [taskIn(phase, message)] };
    return done({ stages: [{ ...stage, ...tasks }] });
  }
  if (told.startsWith("Plan the tasks")) {
    const [, phase = ""] = /^It is in the phase (\w+),/m.exec(told) ?? [];
    return done({ tasks: [taskIn(phase, message)] });
  }
  const [, timing] = /^Plan what helps one task (before|now)/.exec(told) ?? [];
  if (timing !== undefined) {
    const tool = { tool_type: "Calculation", tool_task_name: `Tool ${timing}` };
    return done({ tool_tasks: [{ ...tool, tool_task_purpose: "Help" }] });
  }
  const [, needed] = /to the letter:\n([^]*?)\n\n/.exec(`${told}\n\n`) ?? [];
  if (needed !== undefined) {
    const lines = needed.split("\n").map((line) => line.slice(2));
    return calls("attempt_completion", { message: lines.join(" ") });
  }
  const [, output = ""] = /^Write its output to: (\S+?)(?:,.*)?$/m.exec(told) ?? [];
  const path = output.includes("/tools/") ? `${output}.md` : output;
  return results.some(saysWritten)
    ? done({ summary: `About ${path.split("/").at(-1) ?? ""}` })
    : calls("write_file", { path, content: `# Made for ${output}\n` });
}

/** Returns the one task of a phase. */
function taskIn(phase: string, message: string): object {
  const [, notes = ""] = /^(\S*assets\/notes\.md) \(/m.exec(message) ?? [];
  const outputs = /final outputs go to (\S+\/)\./.exec(message)?.[1] ?? "";
  const task = { task_name: `Task in ${phase}`, task_purpose: "Write it" };
  const path = phase === "GENERATING_OUTPUT" ? `${outputs}report.md` : "notes.md";
  return { ...task, related_references: [notes], output_path: path };
}

/** Returns what the first message of an agent of a run orders. */
export function taskOf(message: string): string {
  return /<task>\n([^]*)\n<\/task>/.exec(message)?.[1] ?? message;
}
