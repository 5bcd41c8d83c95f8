import type * as vscode from "vscode";
import type { ConversationState } from "../../core/conversation/state/conversationState.js";
import type { LongWork } from "../../core/ids.js";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { Translate } from "../../core/text/translator.js";
import { type CardEvent, followCards } from "../work/followCards.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { JobList } from "./jobList.js";

/** The most characters of a question or an answer on a card. */
const mostText = 2_000;

/** Keeps the cards of the jobs' questions in line with the job files. */
export function followJobCards(
  list: JobList,
  workspace: CurrentWorkspace,
  t: Translate,
): vscode.Disposable {
  const missing = new Set<string>();
  return followCards(list, workspace, (jobs, state, has) => {
    const before = missing.size;
    const events = jobCards(jobs, state, missing, t, has);
    if (missing.size > before) list.refresh();
    return events;
  });
}

/**
 * Returns the events that bring the questions' cards in line with the job files: closes those that were
 * answered elsewhere, and shows those that another process has asked.
 *
 * @param missing ids of questions that the list lacked when it was last read; it is updated. The list may
 *   have been read before they were asked, so a question is closed only when it is missing twice.
 * @param has returns whether the conversation has the job
 */
export function jobCards(
  jobs: readonly JobOverview[],
  { items, positions }: ConversationState,
  missing: Set<string>,
  t: Translate,
  has: (work: LongWork) => boolean = () => true,
): CardEvent[] {
  const events: CardEvent[] = [];
  const asked = new Map(
    jobs.flatMap(({ name, questions }) => questions.map((one) => [one.id, { ...one, name }])),
  );
  for (const item of items) {
    if (item.kind !== "question" || item.answer !== undefined) continue;
    const question = asked.get(item.id);
    if (item.work?.kind !== "job" || question?.answer === null) continue;
    if (question === undefined && !missing.has(item.id)) {
      missing.add(item.id);
      continue;
    }
    const text = question?.answer?.slice(0, mostText) ?? t("This question is no longer asked.");
    events.push({ type: "answered", questionId: item.id, text });
  }
  for (const { id, text, answer, name } of asked.values()) {
    if (answer !== null || positions.has(id) || !has({ kind: "job", name })) continue;
    events.push({
      type: "question",
      mode: "rooroo-job-runner",
      questionId: id,
      taskId: null,
      work: { kind: "job", name },
      text: text.slice(0, mostText),
      suggestions: [],
    });
  }
  return events;
}
