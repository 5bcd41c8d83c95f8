import type { ConversationEvent } from "../../core/conversation/events/events.js";
import { modeName } from "../../core/experts/modeName.js";
import type { ConversationId, TaskId } from "../../core/ids.js";
import type { Translate } from "../../core/text/translator.js";
import { shorten } from "../text/shorten.js";
import { withoutLinks } from "../text/withoutLinks.js";
import type { Notice, NoticeButton } from "../work/notice.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";

type Ended = Extract<ConversationEvent, { type: "sessionEnded" }>;

/** Returns the conversation that shows a task. */
export async function conversationOf(
  taskId: TaskId,
  workspace: CurrentWorkspace,
): Promise<ConversationId | undefined> {
  const conversations = workspace.session?.conversations;
  const { tasks } = (await workspace.session?.overview()) ?? { tasks: [] };
  const work = conversations?.workOf(taskId);
  return (
    tasks.find((task) => task.taskId === taskId)?.conversation ??
    (work && conversations?.ofWork(work)) ??
    conversations?.current.id
  );
}

/** Returns the button that shows a conversation. */
export function showButton(conversation: ConversationId | undefined, t: Translate): NoticeButton {
  const label = t("Show");
  return conversation === undefined
    ? { label, command: "rooroo.focusChat" }
    : { label, command: "rooroo.showConversation", about: conversation };
}

/** Returns the notice of a question of a task or of the Navigator. */
export function questionNotice(
  { questionId, taskId, mode }: Extract<ConversationEvent, { type: "question" }>,
  conversation: ConversationId,
  t: Translate,
): Notice {
  const answer = { label: t("Answer…"), command: "rooroo.answer" } as const;
  return {
    key: `question ${questionId}`,
    kind: "needsYou",
    conversation,
    text: t("{0} has a question for you.", t(modeName(mode))),
    buttons: [
      showButton(conversation, t),
      ...(taskId === null ? [] : [{ ...answer, about: taskId }]),
    ],
  };
}

/**
 * Returns the notice that a request has ended with all of its tasks; `undefined` if there is nothing to say.
 *
 * @param ended the tasks that have ended, in order
 * @param conversation the one that shows the last of them
 * @param goalOf returns a task's goal, if it is known
 */
export function endNotice(
  ended: readonly Ended[],
  conversation: ConversationId,
  goalOf: (taskId: string) => string | undefined,
  t: Translate,
): Notice | undefined {
  // What the user has stopped, or is asked about, needs no notice of its end.
  const over = ended.filter(({ end }) => end === "Done" || end === "Failed");
  const last = over.at(-1);
  if (last === undefined) return undefined;
  const failed = over.filter(({ end }) => end === "Failed");
  const changed = over.filter(({ changedFiles = 0 }) => changedFiles > 0);
  const review = { label: t("Review Changes"), command: "rooroo.reviewChanges" } as const;
  const [only] = over.length === 1 ? changed : [];
  return {
    key: `end ${last.taskId} ${last.at}`,
    kind: "done",
    conversation,
    text: endText(over, failed.length, goalOf, t),
    isWarning: failed.length > 0,
    buttons: [
      showButton(conversation, t),
      ...(only === undefined ? [] : [{ ...review, about: only.taskId }]),
    ],
  };
}

function endText(
  over: readonly Ended[],
  failed: number,
  goalOf: (taskId: string) => string | undefined,
  t: Translate,
): string {
  const [first] = over;
  if (over.length === 1 && first !== undefined) {
    const goal = withoutLinks(shorten(goalOf(first.taskId) ?? "", 60));
    const name = goal === "" ? t(modeName(first.mode)) : `“${goal}”`;
    return failed === 0 ? t("{0} is done.", name) : t("{0} has failed.", name);
  }
  if (failed === 0)
    return t("{0, plural, one {# task is done.} other {# tasks are done.}}", over.length);
  return t("{0} of {1, plural, one {# task} other {# tasks}} have failed.", failed, over.length);
}
