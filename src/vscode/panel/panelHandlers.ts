import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import type { SettingName } from "../../contributions/settings.js";
import type { ApprovalPreset } from "../../core/approvals/approvalRules.js";
import type { ApprovalDecision, ApprovalRequest } from "../../core/approvals/approver.js";
import { UserError } from "../../core/errors.js";
import type { ConversationId } from "../../core/ids.js";
import { menuWaitMs } from "../../core/ports/serverContent.js";
import type { SandboxAbility } from "../../core/ports/shell.js";
import { fromBase64 } from "../../core/text/base64.js";
import { spoken } from "../../core/text/words.js";
import type { PanelParams, SandboxOffer } from "../../protocol/messages.js";
import type { Mentions } from "../attachments/mentions.js";
import type { Settings } from "../settings/settings.js";
import { answerTask } from "../team/answerTask.js";
import { t } from "../text/words.js";
import { bound } from "../work/commandHandlers.js";
import { workKinds } from "../work/workKinds.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import { completions } from "./completions.js";
import type { PanelApprover } from "./panelApprover.js";
import type { PanelPlace, PlacedHandlers } from "./panelConnection.js";
import type { ProposalEditor } from "./proposalEditor.js";

/** Schemes of links that may be opened; all others are refused. */
const linkSchemes = ["http", "https", "mailto"];

/** What the panel needs to let the user choose what runs without approval. */
interface ApprovalChoice {
  /** Returns what to say about the sandbox to a user who has not chosen yet. */
  readonly offer: () => Promise<SandboxOffer | null>;
  readonly ability: () => Promise<SandboxOffer>;
  readonly setPreset: (preset: ApprovalPreset) => Promise<void>;
}

/** Returns what the panel shows of a window's sandbox, and sets what runs without approval. */
export function approvalChoice(
  settings: Settings,
  workspace: CurrentWorkspace,
  runtime: () => Promise<{ sandbox(folder: vscode.Uri): Promise<SandboxAbility> }>,
): ApprovalChoice {
  const abilityIn = async (folder: vscode.Uri): Promise<SandboxOffer> => {
    const ability = await (await runtime()).sandbox(folder);
    return ability.available ? { name: ability.name } : { reason: spoken(ability.reason, t) };
  };
  return {
    offer: async () => {
      const folder = workspace.session?.folder;
      return folder === undefined || settings.isPresetChosen ? null : abilityIn(folder);
    },
    ability: () => abilityIn(workspace.require().folder),
    setPreset: (preset) => settings.setPreset(preset),
  };
}

export interface PanelHandlerDependencies {
  readonly workspace: CurrentWorkspace;
  readonly approver: PanelApprover;
  readonly proposals: ProposalEditor;
  /** Answers what long work asks. Throws a {@link UserError} if it is not asked any more. */
  readonly answerWork: (given: PanelParams<"answerWork">) => Promise<void>;
  readonly choice: ApprovalChoice;
  readonly mentions: Mentions;
  /**
   * Restores a conversation to before a message that is sent anew, if the user confirms it. Returns whether that was done.
   */
  readonly restoreToEdit: (
    session: WorkspaceSession,
    place: { readonly conversation: ConversationId; readonly messageId: string },
  ) => Promise<boolean>;
}

/** What the handlers of a page's requests use. */
type PanelContext = PanelHandlerDependencies & PanelPlace;

type PanelTable = {
  readonly [M in keyof PlacedHandlers]: (
    context: PanelContext,
    params: PanelParams<M>,
  ) => ReturnType<PlacedHandlers[M]>;
};

const table: PanelTable = {
  newConversation: ({ workspace, begin }) => {
    workspace.require();
    begin();
    return undefined;
  },
  showConversation: async (_, { conversation: id }) => {
    await vscode.commands.executeCommand("rooroo.showConversation" satisfies CommandId, id);
  },
  restore: async ({ conversation }, { checkpoint }) => {
    await vscode.commands.executeCommand("rooroo.restore" satisfies CommandId, {
      conversation: conversation(),
      checkpoint,
    });
  },
  send: async (
    { workspace, restoreToEdit, conversation, begin },
    { text: typed, attachments, expert, isolated, edits },
  ) => {
    if (edits !== undefined) {
      const place = { conversation: conversation(), messageId: edits };
      if (!(await restoreToEdit(workspace.require(), place))) return false;
    }
    const [isNew, after = ""] = /^\s*\/new(?:\s+(\S[^]*)?)?$/.exec(typed) ?? [];
    if (isNew !== undefined) {
      workspace.require();
      begin();
      if (after.trim() === "") return true;
    }
    const text = isNew === undefined ? typed : after;
    void workspace
      .require()
      .run(
        (navigator) => navigator.say(text, conversation(), attachments, { expert, isolated }),
        conversation,
      );
    return true;
  },
  tell: ({ workspace }, { taskId, text, attachments }) => {
    void workspace.require().run((navigator) => navigator.tell(taskId, text, attachments));
    return undefined;
  },
  changeMessage: async ({ workspace }, { taskId, id, text }) => {
    await (await workspace.require().navigator()).messages.change(taskId, id, text);
  },
  removeMessage: async ({ workspace }, { taskId, id }) => {
    await (await workspace.require().navigator()).messages.remove(taskId, id);
  },
  requestMessage: ({ workspace, conversation }, { taskId, id }) => {
    void workspace
      .require()
      .run(
        (navigator) => navigator.messages.takeAsRequest(taskId, id, conversation()),
        conversation,
      );
    return undefined;
  },
  attachImage: async ({ workspace }, { name, data }) => {
    const { files } = workspace.require();
    const { keepImage } = await import("../attachments/attachedPlaces.js");
    return keepImage(fromBase64(data), name, files);
  },
  attachUris: async ({ workspace }, { uris }) => {
    const session = workspace.require();
    const { droppedPlaces } = await import("../attachments/attachedPlaces.js");
    return droppedPlaces(uris, session);
  },
  pickAttachments: async ({ workspace }) => {
    const session = workspace.require();
    const { chosenPlaces } = await import("../attachments/attachedPlaces.js");
    return chosenPlaces(session);
  },
  mentions: ({ mentions }, { of, query }) => mentions.find(of, query),
  terminalText: async ({ workspace }) => {
    workspace.require();
    const { terminalSelection } = await import("../attachments/terminalSelection.js");
    return terminalSelection();
  },
  picture: async ({ workspace }, { path }) => {
    const { files } = workspace.require();
    const { pictureAddress } = await import("../attachments/attachedPlaces.js");
    return pictureAddress(path, files);
  },
  openAttachment: async ({ workspace }, { attachment }) => {
    const session = workspace.require();
    const { openAttachment } = await import("../attachments/openAttachment.js");
    await openAttachment(attachment, session);
  },
  act: ({ workspace, conversation }, { action }) => {
    void workspace
      .require()
      .run((navigator) => navigator.act(action, conversation()), conversation);
    return undefined;
  },
  answer: ({ workspace, conversation }, { taskId, text }) => {
    void answerTask(workspace.require(), taskId, text, conversation);
    return undefined;
  },
  answerWork: async ({ answerWork }, given) => {
    // The command asks for confirmation first.
    if (given.answer.type === "CANCEL") {
      const { name } = given.ref;
      await vscode.commands.executeCommand("rooroo.cancelRun" satisfies CommandId, name);
    } else await answerWork(given);
  },
  approve: async ({ workspace, approver, proposals }, { approvalId, decision }) => {
    workspace.require();
    waiting(approver, approvalId);
    if (approver.decide(approvalId, await decisionOf(approvalId, decision, proposals))) return;
    waiting(approver, approvalId);
  },
  editProposal: async ({ workspace, approver, proposals }, { approvalId }) => {
    const { folder } = workspace.require();
    await proposals.show(waiting(approver, approvalId), folder);
  },
  openDecider: async (_, { decidedBy }) => {
    if (decidedBy === "grants")
      await vscode.commands.executeCommand("rooroo.manageApprovals" satisfies CommandId);
    else {
      const setting: `rooroo.${SettingName}` = decidedBy;
      await vscode.commands.executeCommand("workbench.action.openSettings", setting);
    }
  },
  editPlan: async ({ workspace, conversation }, { planId, edit }) => {
    const session = workspace.require();
    const navigator = await session.navigator();
    await navigator.queue.editPlan(planId, edit);
    // If the queue is being worked on, that work goes on with the plan.
    if (edit.type !== "start" || (await navigator.isQueueAtWork())) return;
    void session.run(() => navigator.proceed({}, conversation()), conversation);
  },
  experts: async ({ workspace }) => (await workspace.require().navigator()).queue.assignable(),
  stop: ({ workspace, conversation }) => {
    void workspace.require().run((navigator) => navigator.stop(), conversation);
    return undefined;
  },
  stopCommand: async ({ workspace }, { callId }) => {
    (await workspace.require().navigator()).stopCommand(callId);
  },
  stopWork: async (_, { ref }) => {
    await vscode.commands.executeCommand(workKinds[ref.kind].stop, ref.name);
  },
  openFile: async ({ workspace }, { path, line }) => {
    await new OpenDocuments(workspace.require()).file(path, line);
  },
  openLink: async (_, { url }) => {
    const uri = vscode.Uri.parse(url, true);
    if (!linkSchemes.includes(uri.scheme)) {
      throw new UserError("linkSchemeRefused", "Links that begin with {scheme}: are not opened.", {
        scheme: uri.scheme,
      });
    }
    await vscode.env.openExternal(uri);
  },
  reviewChanges: async (_, { taskId }) => {
    await vscode.commands.executeCommand("rooroo.reviewChanges" satisfies CommandId, taskId);
  },
  undoChanges: async (_, { taskId }) => {
    await vscode.commands.executeCommand("rooroo.undoTask" satisfies CommandId, taskId);
  },
  hostCommand: async (_, { command, about }) => {
    await vscode.commands.executeCommand(`rooroo.${command}` satisfies CommandId, about);
  },
  openFolder: async ({ workspace }) => {
    const trusts = workspace.state === "untrusted";
    await vscode.commands.executeCommand(trusts ? "workbench.trust.manage" : "vscode.openFolder");
  },
  sandboxOffer: ({ choice }) => choice.offer(),
  sandboxAbility: ({ choice }) => choice.ability(),
  setApprovals: ({ choice }, { preset }) => choice.setPreset(preset).then(() => undefined),
  completions: ({ workspace }) => completions(workspace.require()),
  prompts: async ({ workspace }, { waits }) => {
    const navigator = await workspace.require().navigator();
    return navigator.commands.prompts(waits ? {} : { withinMs: menuWaitMs });
  },
  panelFocus: async (_, { focused }) => {
    await vscode.commands.executeCommand("setContext", "rooroo.panelFocus", focused);
  },
  copy: async (_, { text }) => {
    await vscode.env.clipboard.writeText(text);
  },
  insert: async (_, { text }) => {
    const { insertAtCursor } = await import("./insertAtCursor.js");
    return insertAtCursor(text);
  },
};

/**
 * Returns handlers for the requests of a page. Long work continues after the answer, and the
 * conversation shows its progress.
 *
 * @param place what the page shows, and how it shows something else
 */
export function panelHandlers(
  dependencies: PanelHandlerDependencies,
  place: PanelPlace,
): PlacedHandlers {
  return bound(table, { ...dependencies, ...place });
}

/** Returns the waiting request. Throws a {@link UserError} if none with this id waits in this window. */
function waiting(approver: PanelApprover, approvalId: string): ApprovalRequest {
  const request = approver.open(approvalId);
  if (request !== undefined) return request;
  throw new UserError(
    "approvalGone",
    "The call is no longer waiting for an approval in this window.",
  );
}

async function decisionOf(
  approvalId: string,
  decision: PanelParams<"approve">["decision"],
  proposals: ProposalEditor,
): Promise<ApprovalDecision> {
  switch (decision.type) {
    case "allowed": {
      const { scope, option } = decision;
      return { type: "allowed", scope, ...(option === undefined ? {} : { option }) };
    }
    case "edited":
      return { type: "edited", text: decision.text ?? (await proposals.text(approvalId)) };
    case "denied": {
      const { reason } = decision;
      return { type: "denied", ...(reason === undefined ? {} : { reason }) };
    }
  }
}
