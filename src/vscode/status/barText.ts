import { modeName } from "../../core/experts/modeName.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import { tasksDoneText } from "../../core/text/tasksDoneText.js";
import type { Translate } from "../../core/text/translator.js";
import type { PanelStatus } from "../../protocol/messages.js";
import { shorten } from "../text/shorten.js";
import { questionsText } from "../work/row.js";

/** The words in the status bar after a product icon. */
interface BarText {
  readonly icon: string;
  readonly words: string;
  /** Whether something waits for the user. */
  readonly isUrgent: boolean;
}

/** A line of the tooltip: words from anywhere, after a product icon. */
interface TooltipLine {
  readonly icon: string;
  readonly words: string;
}

/** Returns what needs the user, else what runs, else how many tasks are queued. */
export function barText(status: PanelStatus, tasks: readonly TaskView[], t: Translate): BarText {
  const say = (icon: string, words: string): BarText => ({ icon, words, isUrgent: false });
  if (status.workspace === "untrusted") return say("shield", "Rooroo");
  if (status.needsYou > 0) {
    return { ...say("bell-dot", t("Rooroo needs you ({0})", status.needsYou)), isUrgent: true };
  }
  if (status.heldBy !== null) return say("vm-running", t("Running in another window"));
  if (status.busy) {
    const more = status.queued > 0 ? ` (+${status.queued})` : "";
    return say("loading~spin", whoWorks(running(tasks), t) + more);
  }
  const [job, ...others] = status.jobs;
  if (job !== undefined) {
    const words = t("job {0} {1}%", withoutIcons(shorten(job.name, 24)), job.progress);
    return say("loading~spin", `${words}${others.length > 0 ? ` (+${others.length})` : ""}`);
  }
  const [run, ...more] = status.runs;
  if (run !== undefined) {
    const { done, total } = run.tasks;
    const words = total === 0 ? t("run") : t("run {0}/{1}", done, total);
    return say("loading~spin", `${words}${more.length > 0 ? ` (+${more.length})` : ""}`);
  }
  if (status.queued > 0) return say("compass", t("Rooroo: {0, number} queued", status.queued));
  return say("compass", "Rooroo");
}

/** Returns the lines of the tooltip: what needs the user, what runs, what waits, and the model. */
export function barTooltip(
  status: PanelStatus,
  tasks: readonly TaskView[],
  t: Translate,
): TooltipLine[] {
  const lines: TooltipLine[] = [];
  const add = (icon: string, words: string) => lines.push({ icon, words });
  if (status.workspace === "untrusted") add("shield", t("Nothing runs in Restricted Mode."));
  for (const task of tasks.filter(({ state }) => state === "needsYou").slice(0, 5)) {
    add("bell-dot", shorten(task.question?.text ?? task.goal, 100));
  }
  for (const task of running(tasks).slice(0, 5)) {
    add("loading~spin", shorten(task.goal, 100));
  }
  for (const { name, progress, questions } of status.jobs.slice(0, 5)) {
    const asks = questions.length === 0 ? "" : `, ${questionsText(questions.length, t)}`;
    add("loading~spin", t("Job {0}: {1}%", shorten(name, 60), progress) + asks);
  }
  for (const { request, tasks: counts } of status.runs.slice(0, 5)) {
    const { done, total } = counts;
    add("loading~spin", t("Run {0}: {1}", shorten(request, 60), tasksDoneText(done, total, t)));
  }
  if (status.heldBy !== null) {
    add("vm-running", t("The queue is being run by {0}.", status.heldBy));
  }
  if (status.queued > 0) add("list-ordered", t("{0, number} queued", status.queued));
  const { name } = status.model;
  add("server", name === "" ? t("No model selected.") : name);
  return lines;
}

function running(tasks: readonly TaskView[]): TaskView[] {
  return tasks.filter(({ state }) => state === "running");
}

function whoWorks([first, ...others]: readonly TaskView[], t: Translate): string {
  if (first === undefined) return t("Rooroo is working");
  if (others.length > 0) return t("{0} experts are working", others.length + 1);
  return t("{0} is working", t(modeName(first.mode)));
}

/** Removes icon syntax from a name; the status bar would draw an icon for it. */
function withoutIcons(name: string): string {
  return name.replaceAll("$(", "(");
}
