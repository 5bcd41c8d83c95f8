import * as vscode from "vscode";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";

/** The id of the participant `@rooroo` in VS Code's chat, as in the manifest. */
const participantId = "rooroo.navigator";

/** `@rooroo` in VS Code's own chat. What answers is loaded at the first request. */
export class ChatParticipant implements vscode.Disposable {
  private readonly participant: vscode.ChatParticipant;

  constructor(
    private readonly workspace: CurrentWorkspace,
    icon: vscode.Uri,
  ) {
    this.participant = vscode.chat.createChatParticipant(participantId, this.handle);
    this.participant.iconPath = icon;
    this.participant.followupProvider = {
      provideFollowups: async ({ metadata }) => {
        const { chatMetadata } = await import("./chatInput.js");
        return chatMetadata(metadata)?.followups ?? [];
      },
    };
  }

  /** Answers a request; VS Code calls it, and so do tests. */
  readonly handle = async (
    request: vscode.ChatRequest,
    _context: vscode.ChatContext,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> => {
    const { answerChatRequest } = await import("./chatRequest.js");
    return answerChatRequest(this.workspace, request, stream, token);
  };

  dispose(): void {
    this.participant.dispose();
  }
}
