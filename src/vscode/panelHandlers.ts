import * as vscode from "vscode";
import type { ApprovalDecision } from "../core/approvals/approver.js";
import { UserError } from "../core/errors.js";
import type { PanelParams } from "../protocol/messages.js";
import type { PanelHandlers } from "../protocol/rpcHost.js";
import type { CurrentWorkspace } from "./currentWorkspace.js";
import { OpenDocuments } from "./openDocuments.js";
import type { PanelApprover } from "./panelApprover.js";

/** Programs that a link may start; all others are refused. */
const linkSchemes = ["http", "https", "mailto"];

/**
 * Carries out what a page asks for. What takes long goes on after the answer: the conversation
 * shows it.
 */
export function panelHandlers(
  workspace: CurrentWorkspace,
  approver: PanelApprover,
): Omit<PanelHandlers, "earlier"> {
  return {
    send: ({ text }) => {
      void workspace.require().run((navigator) => navigator.say(text));
      return undefined;
    },
    answer: ({ taskId, text }) => {
      void workspace.require().run((navigator) => navigator.answer(taskId, text));
      return undefined;
    },
    approve: (params) => {
      workspace.require();
      if (approver.decide(params.approvalId, decisionOf(params))) return undefined;
      throw new UserError(
        vscode.l10n.t("This no longer waits for an approval here, or another window asks for it."),
      );
    },
    stop: () => {
      void workspace.require().run((navigator) => navigator.stop());
      return undefined;
    },
    openFile: async ({ path, line }) => {
      const { folder, files } = workspace.require();
      await new OpenDocuments(folder, files).file(path, line);
    },
    openLink: async ({ url }) => {
      const uri = vscode.Uri.parse(url, true);
      if (!linkSchemes.includes(uri.scheme)) {
        throw new UserError(vscode.l10n.t("Links to {0}: are not opened.", uri.scheme));
      }
      await vscode.env.openExternal(uri);
    },
    hostCommand: async ({ command }) => {
      await vscode.commands.executeCommand(`rooroo.${command}`);
    },
    openFolder: async () => {
      const trusts = workspace.state === "untrusted";
      await vscode.commands.executeCommand(trusts ? "workbench.trust.manage" : "vscode.openFolder");
    },
    copy: async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
    },
  };
}

function decisionOf({ decision, reason }: PanelParams<"approve">): ApprovalDecision {
  if (decision !== "deny") return { type: "allowed", scope: decision };
  return { type: "denied", ...(reason === undefined || reason === "" ? {} : { reason }) };
}
