import * as vscode from "vscode";
import type { ApprovalDecision, ApprovalRequest } from "../../core/approvals/approver.js";
import { UserError } from "../../core/errors.js";
import type { Signal } from "../../core/runs/decideRun.js";
import type { PanelParams, SandboxOffer } from "../../protocol/messages.js";
import type { PanelHandlers } from "../../protocol/rpcHost.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import type { PanelApprover } from "./panelApprover.js";
import type { ProposalEditor } from "./proposalEditor.js";
import type { RunId } from "../../core/ids.js";

/** Schemes of links that may be opened; all others are refused. */
const linkSchemes = ["http", "https", "mailto"];

interface Runs {
  /** Answers a run's proposal; throws if the run no longer asks about it. */
  answer(runId: RunId, proposalId: string, answer: Signal): Promise<void>;
}

/**
 * Returns handlers for the requests of a page. Long work continues after the answer, and the
 * conversation shows its progress.
 */
export function panelHandlers(
  workspace: CurrentWorkspace,
  approver: PanelApprover,
  proposals: ProposalEditor,
  runs: Runs,
  sandboxOffer: () => Promise<SandboxOffer | null>,
): Omit<PanelHandlers, "earlier"> {
  return {
    send: ({ text }) => {
      void workspace.require().run((navigator) => navigator.say(text));
      return undefined;
    },
    act: ({ action }) => {
      void workspace.require().run((navigator) => navigator.act(action));
      return undefined;
    },
    answer: ({ taskId, text }) => {
      void workspace.require().run((navigator) => navigator.answer(taskId, text));
      return undefined;
    },
    answerJob: ({ questionId, text }) => {
      const session = workspace.require();
      void session.run(async () => (await session.jobs()).answer(questionId, text));
      return undefined;
    },
    approve: async ({ approvalId, decision }) => {
      workspace.require();
      waiting(approver, approvalId);
      if (approver.decide(approvalId, await decisionOf(approvalId, decision, proposals))) return;
      waiting(approver, approvalId);
    },
    editProposal: async ({ approvalId }) => {
      const { folder } = workspace.require();
      await proposals.show(waiting(approver, approvalId), folder);
    },
    openDecider: async ({ decidedBy }) => {
      if (decidedBy === "grants") await vscode.commands.executeCommand("rooroo.manageApprovals");
      else await vscode.commands.executeCommand("workbench.action.openSettings", decidedBy);
    },
    stop: () => {
      void workspace.require().run((navigator) => navigator.stop());
      return undefined;
    },
    stopCommand: async ({ callId }) => {
      (await workspace.require().navigator()).stopCommand(callId);
    },
    stopJob: async ({ name }) => {
      await vscode.commands.executeCommand("rooroo.stopJob", name);
    },
    stopRun: async ({ runId }) => {
      await vscode.commands.executeCommand("rooroo.stopRun", runId);
    },
    answerProposal: async ({ runId, proposalId, answer }) => {
      // The command asks for confirmation first.
      if (answer.type === "CANCEL") await vscode.commands.executeCommand("rooroo.cancelRun", runId);
      else await runs.answer(runId, proposalId, answer);
    },
    openFile: async ({ path, line }) => {
      const { folder, files } = workspace.require();
      await new OpenDocuments(folder, files).file(path, line);
    },
    openLink: async ({ url }) => {
      const uri = vscode.Uri.parse(url, true);
      if (!linkSchemes.includes(uri.scheme)) {
        throw new UserError(
          "linkSchemeRefused",
          "Links that begin with {scheme}: are not opened.",
          { scheme: uri.scheme },
        );
      }
      await vscode.env.openExternal(uri);
    },
    reviewChanges: async ({ taskId }) => {
      await vscode.commands.executeCommand("rooroo.reviewChanges", taskId);
    },
    hostCommand: async ({ command, about }) => {
      await vscode.commands.executeCommand(`rooroo.${command}`, about);
    },
    openFolder: async () => {
      const trusts = workspace.state === "untrusted";
      await vscode.commands.executeCommand(trusts ? "workbench.trust.manage" : "vscode.openFolder");
    },
    sandboxOffer: () => sandboxOffer(),
    copy: async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
    },
  };
}

/** Returns the waiting request. Throws a {@link UserError} if none with this id waits in this window. */
function waiting(approver: PanelApprover, approvalId: string): ApprovalRequest {
  const request = approver.open(approvalId);
  if (request !== undefined) return request;
  throw new UserError("approvalGone", "This is no longer waiting for an approval in this window.");
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
