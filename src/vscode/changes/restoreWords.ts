import type { RestoreScope } from "../../core/conversation/events/events.js";
import type { UserError } from "../../core/errors.js";
import type { RestorePreview } from "../../core/navigator/recovery/checkpoints.js";
import type { Translate } from "../../core/text/translator.js";
import { shorten } from "../text/shorten.js";
import { listed } from "./listed.js";

/** A choice of what is restored. */
export interface RestoreChoice {
  readonly scope: RestoreScope;
  readonly label: string;
  readonly detail: string;
}

/** Returns what can be restored, the most common first; without files, there is only the conversation. */
export function restoreChoices(
  { files, checkpoint }: RestorePreview,
  t: Translate,
): RestoreChoice[] {
  const { kind } = checkpoint;
  const count = files.filter(({ type }) => type !== "left").length;
  const changed = t("{0, plural, one {# file changes} other {# files change}}", count);
  const conversation: RestoreChoice = {
    scope: "conversation",
    label: t("Conversation"),
    detail:
      kind === "task"
        ? t("This task and all that came after it are taken back. Files stay as they are.")
        : t("This message and all that came after it are taken back. Files stay as they are."),
  };
  if (files.length === 0) return [conversation];
  return [
    {
      scope: "both",
      label: t("Files and Conversation"),
      detail:
        kind === "task"
          ? t("{0}; this task and all that came after it are taken back.", changed)
          : t("{0}; this message and all that came after it are taken back.", changed),
    },
    conversation,
    {
      scope: "files",
      label: t("Files"),
      detail: t("{0}; the conversation stays.", changed),
    },
  ];
}

/**
 * Returns what a restore does, in paragraphs, before anything is done.
 *
 * @param errorText returns an error in the user's language
 */
export function previewText(
  { files, damage, unfinished, returning, earlier, works }: RestorePreview,
  scope: RestoreScope,
  { t, errorText }: { readonly t: Translate; readonly errorText: (error: UserError) => string },
): string {
  const changing = files.flatMap((file) => {
    if (file.type === "left") return [];
    return [file.type === "removed" ? t("{0} (removed)", file.path) : file.path];
  });
  const left = files.flatMap((file) => (file.type === "left" ? [errorText(file.problem)] : []));
  const quoted = (goals: readonly string[]) => goals.map((goal) => `“${shorten(goal, 80)}”`);
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${title}\n${listed(lines, t)}`];
  const ofFiles = [
    ...part(t("These files change:"), changing),
    ...part(t("These stay as they are:"), left),
    ...damage,
    ...part(t("Changes of these earlier tasks stay:"), quoted(earlier)),
  ];
  const ofTasks = [
    ...part(t("These tasks return to the queue, and wait until you proceed:"), quoted(returning)),
    ...part(
      t("These tasks have not ended, and leave the queue and the lists:"),
      quoted(unfinished),
    ),
  ];
  return [
    ...(scope === "conversation" ? [] : ofFiles),
    ...(scope === "files" ? [] : ofTasks),
    ...part(
      t("Jobs and runs go on, and keep what they have written:"),
      works.map(({ name }) => shorten(name, 80)),
    ),
    t("“Undo Restore” in the conversation takes it back."),
  ].join("\n\n");
}
