import { modeName } from "../../core/experts/modeName.js";
import { grouped } from "../../core/grouped.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { Translate } from "../../core/text/translator.js";
import type { PanelStatus } from "../../protocol/messages.js";
import { shorten } from "../text/shorten.js";
import { questionsText } from "../work/row.js";
import { workKinds } from "../work/workKinds.js";

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
  const [work, ...others] = status.works;
  if (work !== undefined) {
    const more = others.filter(({ ref }) => ref.kind === work.ref.kind).length;
    const words = workKinds[work.ref.kind].bar(work, t);
    return say("loading~spin", more > 0 ? `${words} (+${more})` : words);
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
  for (const works of grouped(status.works, ({ ref }) => ref.kind).values()) {
    for (const work of works.slice(0, 5)) {
      const { length } = work.questions;
      const asks = length === 0 ? "" : `, ${questionsText(length, t)}`;
      add("loading~spin", workKinds[work.ref.kind].line(work, t) + asks);
    }
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
