import { inEnglish } from "../../core/conversation/events/draftedEvents.js";
import type { WithoutTime } from "../../core/conversation/events/eventPublisher.js";
import type {
  Checkpoint,
  RestoreScope,
  ConversationEvent,
} from "../../core/conversation/events/events.js";
import { ConversationStore } from "../../core/conversation/store/conversationStore.js";
import { anyExpert } from "../../core/documents/queue.js";
import { QueueStore } from "../../core/navigator/queue/queueStore.js";
import {
  Checkpoints,
  type RestorePreview,
  type RestoreResult,
} from "../../core/navigator/recovery/checkpoints.js";
import { TaskStore } from "../../core/navigator/tasks/taskStore.js";
import { spoken } from "../../core/text/words.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import { askToWrite, servicesOf } from "./changes.js";
import type { Cli, Result } from "./command.js";
import { conversationToGoOnWith } from "./conversations.js";

export interface RestoreOptions {
  /** The number of a message or a task in the list, or its id. Absent: they are listed. */
  readonly checkpoint: string | undefined;
  readonly conversation: string | undefined;
  readonly what: RestoreScope;
  /** Whether it is done. Otherwise it is only shown. */
  readonly yes: boolean;
  /** Whether the last restore is undone instead. */
  readonly undo: boolean;
}

/**
 * Lists the messages and tasks that the user can restore to, shows what a restore would do, does it, finishes one that was cut
 * off, or undoes the last one. Throws {@link WrongUse} if there is no such message, task or conversation, and a `UserError` if
 * something is running.
 */
export async function restore(given: RestoreOptions, cli: Cli): Promise<Result<"waiting">> {
  const { conversation, waits, points } = await pointsOf(given, cli);
  if (given.undo) {
    const last = await points.lastRestore();
    if (last === undefined) throw new WrongUse("nothingRestored", "There is no restore to undo.");
    return restored(t("The restore was undone."), await points.undo(last), waits(), conversation);
  }
  const cutOff = await points.unfinishedRestore();
  if (cutOff !== undefined && given.checkpoint !== undefined) {
    throw new WrongUse(
      "restoreUnfinished",
      "The last restore has not finished. Finish it first with `rooroo restore --yes`, or undo it with `rooroo restore --undo`.",
    );
  }
  if (cutOff !== undefined && given.yes) {
    const words = t("The restore was finished.");
    return restored(words, await points.finish(cutOff), waits(), conversation);
  }
  const list = await points.list();
  if (given.checkpoint === undefined) return listed(list, conversation, cutOff);
  const point = pointNamed(given.checkpoint, list);
  if (!given.yes) return previewed(await points.preview(point.id), given.what);
  const result = await points.restore(point.id, given.what);
  const words = t('Restored to before "{0}".', terminalLine(point.title, 80));
  return restored(words, result, waits(), conversation);
}

async function pointsOf({ conversation }: RestoreOptions, cli: Cli) {
  const { local, changes } = await servicesOf(cli, "rooroo restore");
  const { files, lock, clock, signer } = local;
  const id = await conversationToGoOnWith({ conversation, continue: true }, cli);
  if (id === undefined) {
    throw new WrongUse(
      "conversationNone",
      "There is no conversation here to go on with. Begin one with rooroo ask.",
    );
  }
  const conversations = new ConversationStore(files, signer, () => undefined);
  const { mayWrite, waits } = askToWrite("", { local }, cli);
  const points = new Checkpoints(
    {
      ...local,
      store: new TaskStore(files, clock, signer),
      queue: new QueueStore(files, lock, anyExpert),
      conversations,
      changes,
      mayWrite,
      publish: (draft, where = id) => {
        const event = inEnglish<WithoutTime<ConversationEvent>>(draft);
        conversations.append(where, { at: clock.now().toISOString(), ...event });
      },
    },
    id,
  );
  return { conversation: id, points, waits };
}

function pointNamed(given: string, list: readonly Checkpoint[]): Checkpoint {
  const byNumber = /^\d+$/.test(given) ? list[Number(given) - 1] : undefined;
  const found = byNumber ?? list.find(({ id }) => id === given);
  if (found !== undefined) return found;
  throw new WrongUse(
    "checkpointNotListed",
    "There is no message or task {checkpoint}. `rooroo restore` lists them with their numbers.",
    { checkpoint: given },
  );
}

/** @param unfinished the id of the last restore, if it was cut off */
function listed(
  list: readonly Checkpoint[],
  conversation: string,
  unfinished: string | undefined,
): Result<never> {
  return {
    end: "done",
    json: () => ({
      conversation,
      checkpoints: list,
      ...(unfinished === undefined ? {} : { unfinished }),
    }),
    text: () =>
      unfinished !== undefined
        ? `${t("The last restore has not finished. `rooroo restore --yes` finishes it, `rooroo restore --undo` undoes it.")}\n`
        : list.length === 0
          ? `${t("No messages.")}\n`
          : list
              .map(({ kind, at, title }, index) => {
                const when = at.slice(0, 16).replace("T", " ");
                const what =
                  kind === "task"
                    ? `  ${t("task: {0}", terminalLine(title, 80))}`
                    : terminalLine(title, 80);
                return `${String(index + 1).padStart(3)}  ${when}  ${what}\n`;
              })
              .join(""),
  };
}

function previewed(preview: RestorePreview, what: RestoreScope): Result<never> {
  const { checkpoint, files, damage, unfinished, returning, earlier, works } = preview;
  const { kind, title } = checkpoint;
  const ofFiles = files.map((file) => {
    const path = terminalText(file.path);
    return file.type === "left"
      ? `! ${t("{0} stays. {1}", path, terminalText(spoken(file.problem, t)))}\n`
      : `  ${path} ${t(file.type)}\n`;
  });
  const quoted = (words: string, goals: readonly string[]) =>
    goals.map((goal) => `${words}: ${terminalLine(goal, 80)}\n`);
  const lines = [
    `${t('Before "{0}" (nothing has been restored; --yes does it):', terminalLine(title, 80))}\n`,
    ...(what === "conversation"
      ? []
      : [
          ...(files.length === 0 ? [`${t("No file changes.")}\n`] : ofFiles),
          ...damage.map((words) => `! ${terminalText(words)}\n`),
          ...quoted(t("Its changes stay, because it began before"), earlier),
        ]),
    ...(what === "files"
      ? []
      : [
          `${kind === "task" ? t("The task and all that came after it are taken back.") : t("The message and all that came after it are taken back.")}\n`,
          ...quoted(t("Returns to the queue, and waits there"), returning),
          ...quoted(t("Leaves the queue and the lists"), unfinished),
        ]),
    ...works.map(
      ({ kind, name }) =>
        `${kind === "job" ? t("The job {0} stays as it is.", terminalLine(name, 80)) : t("The run {0} stays as it is.", terminalLine(name, 80))}\n`,
    ),
  ];
  return {
    end: "done",
    json: () => ({
      ...preview,
      what,
      files: files.map((file) =>
        file.type === "left"
          ? { path: file.path, type: file.type, problem: file.problem.message }
          : file,
      ),
    }),
    text: () => lines.join(""),
  };
}

function restored(
  words: string,
  { files, left }: RestoreResult,
  waits: boolean,
  conversation: string,
): Result<"waiting"> {
  const lines = left.map(
    ({ path, why }) =>
      `! ${t("{0} stays. {1}", terminalText(path), terminalText(spoken(why, t)))}\n`,
  );
  return {
    end: waits ? "waiting" : left.length === 0 ? "done" : "failed",
    json: () => ({ conversation, files, left }),
    text: () => `${words} ${t("Files: {0}.", files)}\n${lines.join("")}`,
  };
}
