import type { HttpModelRequest, HttpReply, HttpScript } from "../fakes/httpModel.js";
import { calls, completes, triages } from "../fakes/navigatorWorld.js";

/** What an expert's request is about. */
export interface ExpertRequest extends HttpModelRequest {
  readonly expert: string;
  readonly taskId: string;
  readonly goal: string;
}

/**
 * Answers from the request alone, so that it does not matter what a killed process had asked before.
 *
 * @param decision what triage decides
 * @param experts what each expert does next, by slug
 */
export function plays(
  decision: Record<string, unknown>,
  experts: Record<
    string,
    (request: ExpertRequest, index: number) => HttpReply | Promise<HttpReply>
  >,
): HttpScript {
  return (request, index) => {
    if (isTriage(request)) return triages(decision);
    const read = expertRequest(request);
    const script = experts[read.expert];
    if (script === undefined) throw new Error(`no script for ${read.expert}`);
    return script(read, index);
  };
}

export function isTriage({ tools }: HttpModelRequest): boolean {
  return tools.length === 1 && tools[0] === "triage";
}

function expertRequest(request: HttpModelRequest): ExpertRequest {
  const [system, first] = request.messages;
  const command = first?.content ?? "";
  const [, expert = ""] = /\b(rooroo-[a-z-]+)\b/.exec(system?.content ?? "") ?? [];
  const [, taskId = ""] = /--task-id (\S+)/.exec(command) ?? [];
  const [, quoted] = /--goal ("(?:[^"\\]|\\.)*")/.exec(command) ?? [];
  return {
    ...request,
    expert,
    taskId,
    goal: quoted === undefined ? "" : (JSON.parse(quoted) as string),
  };
}

/** Results that say what happened; what a kill cut short was not done as far as anyone knows. */
export function settled({ results }: HttpModelRequest): number {
  return results.filter(({ content }) => !content.includes("not repeated")).length;
}

/** Returns a planner that looks around once, then plans one task for each goal. */
export function plans(...goals: readonly string[]) {
  const tasks = goals.map((goal) => ({
    suggested_mode: "rooroo-developer",
    goal_for_expert: goal,
  }));
  return (request: ExpertRequest): HttpReply =>
    settled(request) === 0
      ? calls("list_files", { path: "" })
      : completes({ message: "Planned.", queue_tasks_json_lines: tasks });
}

/** Returns a developer that leaves a note in its task's folder and names it. */
export function notes(request: ExpertRequest): HttpReply {
  const path = `.rooroo/tasks/${request.taskId}/notes.md`;
  return settled(request) === 0
    ? calls("write_to_file", { path, content: `${request.goal}\n` })
    : completes({ message: `${request.goal}: noted.`, output_artifact_paths: [path] });
}

/** Returns a line of a queue, as R-ROO-25 has it. */
export function queueLine(id: string, more: Record<string, unknown> = {}): string {
  return `${JSON.stringify({
    taskId: `ROO#TASK_${id}`,
    parentTaskId: null,
    suggested_mode: "rooroo-developer",
    context_file_path: `.rooroo/tasks/ROO#TASK_${id}/context.md`,
    goal_for_expert: `Goal ${id}`,
    ...more,
  })}\n`;
}
