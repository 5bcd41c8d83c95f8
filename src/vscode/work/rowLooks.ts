import type { CommandId } from "../../contributions/commands.js";
import { costText } from "../../core/agent/costText.js";
import type { ChangeCount } from "../../core/changes/changeSummary.js";
import { foreignWords } from "../../core/text/foreignWords.js";
import type { Translate } from "../../core/text/translator.js";
import { spoken } from "../../core/text/words.js";
import { agoText } from "./agoText.js";
import { apart, type Icon, joined, type ListedProblem, type Row, type StateLook } from "./row.js";

/** The words and icons of all states. */
function stateLooks(t: Translate) {
  return {
    new: [t("New"), "circle-outline"],
    needsYou: [t("Needs You"), "bell-dot", "list.warningForeground"],
    awaitingConfirmation: [t("Awaiting Confirmation"), "bell-dot", "list.warningForeground"],
    running: [t("Running"), "loading~spin", "charts.blue"],
    elsewhere: [t("Running Elsewhere"), "vm-running", "charts.blue"],
    queued: [t("Queued"), "circle-outline"],
    pending: [t("Pending"), "circle-outline"],
    pendingHelper: [t("Pending"), "tools"],
    next: [t("Next"), "debug-stackframe", "charts.orange"],
    locked: [t("Locked"), "lock", "charts.blue"],
    interrupted: [t("Interrupted"), "debug-pause", "charts.orange"],
    halted: [t("Halted"), "debug-pause", "charts.orange"],
    left: [t("Not Running"), "debug-pause", "charts.orange"],
    paused: [t("Pending"), "debug-pause", "charts.orange"],
    done: [t("Done"), "pass", "testing.iconPassed"],
    completed: [t("Completed"), "pass", "testing.iconPassed"],
    succeeded: [t("Succeeded"), "pass", "testing.iconPassed"],
    failed: [t("Failed"), "error", "testing.iconFailed"],
    leftOut: [t("Left Out"), "circle-slash", "list.warningForeground"],
    stuck: [t("Blocked"), "error", "testing.iconFailed"],
    broken: [t("Blocked"), "warning", "list.warningForeground"],
    cancelled: [t("Cancelled"), "circle-slash", "disabledForeground"],
    foreign: [t("External"), "cloud-download"],
    unknownStatus: [t("Unknown Status"), "warning", "list.warningForeground"],
    unknownResult: [t("Unknown Result"), "question"],
  } satisfies Record<string, readonly [text: string, icon: string, color?: string]>;
}

/** A state of a task, a job, a run, or a part of one. */
export type WorkState = keyof ReturnType<typeof stateLooks>;

export function stateLook(state: WorkState, t: Translate): StateLook {
  const [text, name, color] = stateLooks(t)[state];
  return { text, icon: color === undefined ? { name } : { name, color } };
}

/** Returns what marks a job or a run that nobody has taken over here; `undefined` for others. */
export function foreignMark(
  { isForeign }: { readonly isForeign: boolean },
  t: Translate,
): (StateLook & { readonly explained: string }) | undefined {
  return isForeign ? { ...stateLook("foreign", t), explained: t(foreignWords) } : undefined;
}

export const warningIcon: Icon = { name: "warning", color: "list.warningForeground" };

/**
 * Returns the row of a problem.
 *
 * @param of what the problem belongs to; see {@link Row.of}
 * @param command the id of the command that a click runs
 */
export function problemRow(
  id: string,
  of: string,
  { path, line, rule, message: said }: ListedProblem,
  command: CommandId,
  t: Translate,
): Row {
  const message = spoken(said, t);
  return {
    id,
    of,
    path,
    line,
    label: message,
    description: t("line {0}", line),
    icon: warningIcon,
    tooltip: [message, `${rule} · ${path}:${line}`],
    spoken: t("Problem in line {0}: {1}", line, message),
    command,
  };
}

/** Says how many lines were added and removed, as in `+42 −3`; empty if there are none. */
export function linesText(changes: ChangeCount | null | undefined): string {
  if (!changes || changes.added + changes.removed === 0) return "";
  return `+${changes.added} −${changes.removed}`;
}

/** Says in few characters how long something took, as in `45 s`, `3 min`; empty below a second. */
export function tookText(ms: number | null, t: Translate): string {
  if (ms === null || ms < 1000) return "";
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return t("{0} s", seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("{0} min", minutes);
  return t("{0} h {1} min", Math.floor(minutes / 60), minutes % 60);
}

/** What work took, and what it changed. Times are in ISO 8601. */
interface Work {
  readonly from: string | null;
  readonly to: string | null;
  readonly workedMs: number | null;
  readonly costUsd?: number | undefined;
  readonly changes?: ChangeCount | null | undefined;
}

/** Says when work was done, and what it took. */
export function workBlocks(
  { from, to, workedMs, costUsd, changes = null }: Work,
  t: Translate,
): string[] {
  const times =
    from === null ? "" : to === null ? timeText(from) : `${timeText(from)} – ${timeText(to)}`;
  const effort = joined(
    tookText(workedMs, t),
    costText(costUsd),
    changes === null ? "" : t("{0, plural, one {# file} other {# files}}", changes.files),
    linesText(changes),
  );
  return [times, effort].filter((text) => text !== "");
}

/** Says how long ago work ended; empty if that is not known. */
export function endedText(to: string | null, now: number, t: Translate): string {
  return to === null ? "" : agoText(Date.parse(to), now, t);
}

/** Formats a time as local time; returns it unchanged if it cannot be parsed. */
export function timeText(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toLocaleString();
}

/** Returns a row as it is shown apart from its list, among what waits for the user. */
export function apartFrom(row: Row, { description, command }: NonNullable<Row["needsYou"]>): Row {
  return {
    ...row,
    id: `${apart}${row.id}`,
    description,
    command: command ?? row.command,
    argument: row.argument ?? row.id,
    folding: undefined,
  };
}
