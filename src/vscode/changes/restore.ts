import * as vscode from "vscode";
import type { Checkpoint, RestoreScope } from "../../core/conversation/events/events.js";
import { UserError } from "../../core/errors.js";
import type { ConversationId } from "../../core/ids.js";
import {
  type Checkpoints,
  type RestorePreview,
  stillRunning,
} from "../../core/navigator/recovery/checkpoints.js";
import { errorText } from "../errors/errorText.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import { mayWrite } from "./mayWrite.js";
import { previewText, restoreChoices } from "./restoreWords.js";

/** A message of a conversation. */
export interface MessagePlace {
  readonly conversation: ConversationId;
  readonly messageId: string;
}

/**
 * Restores files, a conversation, or both to before a checkpoint, as the user chooses and confirms. Without a checkpoint,
 * the user chooses that, too. Returns whether something was restored.
 *
 * @param place `checkpoint`: the id of a message or a task
 * @throws a `UserError` if something runs here, or there is no such message or task
 */
export async function restore(
  session: WorkspaceSession,
  place: { readonly conversation: ConversationId; readonly checkpoint?: string | undefined },
): Promise<boolean> {
  const { conversation, checkpoint } = place;
  const points = await pointsOf(session, conversation);
  const chosen = checkpoint ?? (await chooseCheckpoint(await points.list()))?.id;
  if (chosen === undefined) return false;
  const preview = await points.preview(chosen);
  const scope = await chooseScope(preview);
  if (scope === undefined || !(await confirm(preview, scope))) return false;
  await offeringUnfinished(session, conversation, () => points.restore(chosen, scope));
  return true;
}

/**
 * Restores a conversation to before a message that is sent anew, with or without the files, as the user chooses. Returns
 * whether that was done. Throws as {@link restore} does.
 */
export async function restoreToEdit(
  session: WorkspaceSession,
  { conversation, messageId }: MessagePlace,
): Promise<boolean> {
  const points = await pointsOf(session, conversation);
  const preview = await points.preview(messageId);
  const both = t("Restore Files and Send");
  const only = t("Send");
  const hasFiles = preview.files.length > 0;
  const detail = previewText(preview, hasFiles ? "both" : "conversation", { t, errorText });
  const answer = await vscode.window.showWarningMessage(
    t("Send the edited message in place of “{0}”?", shorten(preview.checkpoint.title, 80)),
    {
      modal: true,
      detail: [
        t("The message and all that came after it are taken back."),
        ...(hasFiles ? [t("“Restore Files and Send” restores the files, too.")] : []),
        detail,
      ].join("\n\n"),
    },
    ...(hasFiles ? [both, only] : [only]),
  );
  if (answer === undefined) return false;
  const scope = answer === both ? "both" : "conversation";
  await offeringUnfinished(session, conversation, () => points.restore(messageId, scope));
  return true;
}

/**
 * Finishes a restore that was cut off, or undoes a restore.
 *
 * @param restoreId the id of its notice in an open conversation; otherwise it is the last restore of `inFront`
 */
export async function settleRestore(
  session: WorkspaceSession,
  how: "finish" | "undo",
  restoreId: unknown,
  inFront: ConversationId,
): Promise<void> {
  const id = typeof restoreId === "string" ? restoreId : undefined;
  const { open } = session.conversations;
  const where = open.find(({ state }) => id !== undefined && state.positions.has(id));
  const points = await pointsOf(session, where?.id ?? inFront);
  const found = id ?? (await points.lastRestore());
  if (found === undefined) {
    throw new UserError("nothingRestored", "There is no restore to undo.");
  }
  await points[how](found);
}

/** Carries out a restore, and offers to finish or undo it if it fails. */
async function offeringUnfinished(
  { conversations }: WorkspaceSession,
  id: ConversationId,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } finally {
    conversations.open.find((one) => one.id === id)?.offerUnfinished();
  }
}

async function pointsOf(
  session: WorkspaceSession,
  conversation: ConversationId,
): Promise<Checkpoints> {
  await session.start();
  const navigator = await session.navigator();
  if (navigator.busy) throw stillRunning();
  const { store: conversations } = session.conversations;
  const changes = await session.changes();
  const points = navigator.checkpoints(conversation, { changes, conversations, mayWrite });
  await points.checkIdle();
  return points;
}

async function chooseCheckpoint(points: readonly Checkpoint[]): Promise<Checkpoint | undefined> {
  if (points.length === 0) {
    throw new UserError("nothingToRestore", "There is no message to restore to.");
  }
  const items = points.toReversed().map((point) => {
    const at = new Date(point.at).toLocaleString();
    const description = point.kind === "task" ? t("Task of a plan · {0}", at) : at;
    return { label: point.title || t("Untitled"), description, point };
  });
  const placeHolder = t("Select the message or task to go back to");
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.point;
}

async function chooseScope(preview: RestorePreview): Promise<RestoreScope | undefined> {
  const items = restoreChoices(preview, t);
  const chosen = await vscode.window.showQuickPick(items, {
    title: t("Restore to Before “{0}”", shorten(preview.checkpoint.title, 60)),
    placeHolder: t("Select what to restore"),
  });
  return chosen?.scope;
}

async function confirm(preview: RestorePreview, scope: RestoreScope): Promise<boolean> {
  const yes = t("Restore");
  const chosen = await vscode.window.showWarningMessage(
    {
      files: t("Restore the files to before “{0}”?", shorten(preview.checkpoint.title, 80)),
      conversation: t(
        "Restore the conversation to before “{0}”?",
        shorten(preview.checkpoint.title, 80),
      ),
      both: t(
        "Restore files and conversation to before “{0}”?",
        shorten(preview.checkpoint.title, 80),
      ),
    }[scope],
    { modal: true, detail: previewText(preview, scope, { t, errorText }) },
    yes,
  );
  return chosen === yes;
}
