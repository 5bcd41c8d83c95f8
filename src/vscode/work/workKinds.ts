import type { CommandId } from "../../contributions/commands.js";
import type { LongWork } from "../../core/ids.js";
import { tasksDoneText } from "../../core/text/tasksDoneText.js";
import type { Translate } from "../../core/text/translator.js";
import type { WorkAtWork } from "../../protocol/messages.js";
import { shorten } from "../text/shorten.js";

/** What a kind of long work is called, and which commands are for it, where all kinds are shown together. */
interface WorkKindLook {
  /** The name of its group in the view, as in `list:jobs`. */
  readonly group: string;
  /** The name of a product icon. */
  readonly icon: string;
  /** Returns the name of many, and of one. */
  readonly many: (t: Translate) => string;
  readonly one: (t: Translate) => string;
  /** Returns what the status bar says of one at work. */
  readonly bar: (work: WorkAtWork, t: Translate) => string;
  /** Returns how far one is, in a line. */
  readonly line: (work: WorkAtWork, t: Translate) => string;
  /** The command that stops one, by its name. */
  readonly stop: CommandId;
}

/** All kinds of long work; a new one has its row here. */
export const workKinds: Readonly<Record<LongWork["kind"], WorkKindLook>> = {
  job: {
    group: "jobs",
    icon: "rocket",
    many: (t) => t("Jobs"),
    one: (t) => t("Job"),
    bar: ({ title, progress }, t) =>
      t("job {0} {1}%", withoutIcons(shorten(title, 24)), progress.percent ?? 0),
    line: ({ title, progress }, t) => t("Job {0}: {1}%", shorten(title, 60), progress.percent ?? 0),
    stop: "rooroo.stopJob",
  },
  run: {
    group: "runs",
    icon: "book",
    many: (t) => t("Runs"),
    one: (t) => t("Run"),
    bar: ({ progress: { done, total } }, t) =>
      total === 0 ? t("run") : t("run {0}/{1}", done, total),
    line: ({ title, progress: { done, total } }, t) =>
      t("Run {0}: {1}", shorten(title, 60), tasksDoneText(done, total, t)),
    stop: "rooroo.stopRun",
  },
};

/** Returns the name of the group of a kind of work, in a view that has all kinds. */
export function groupName(kind: "task" | LongWork["kind"]): string {
  return kind === "task" ? "tasks" : workKinds[kind].group;
}

/** Returns the id of the row of that group. */
export function groupId(kind: "task" | LongWork["kind"]): string {
  return `list:${groupName(kind)}`;
}

/** Removes icon syntax from a name; the status bar would draw an icon for it. */
function withoutIcons(name: string): string {
  return name.replaceAll("$(", "(");
}
