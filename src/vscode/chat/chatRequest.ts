import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import type { Navigator } from "../../core/navigator/navigator.js";
import type { Outcome } from "../../core/navigator/tasks/outcome.js";
import type { Requester } from "../../core/navigator/tasks/requester.js";
import { stoppedByUser } from "../../core/work/stop.js";
import { errorText } from "../errors/errorText.js";
import { t } from "../text/words.js";
import { type CurrentWorkspace, NotOpenError } from "../workspace/currentWorkspace.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import { chatAction, type ChatMetadata, followups, isChatCommand } from "./chatInput.js";
import { ChatReply, type ChatSink } from "./chatReply.js";

type Answer = (navigator: Navigator, requester: Requester) => Promise<Outcome>;

/** Answers a request in VS Code's chat: the same Navigator does it as in the panel, which shows it, too. */
export async function answerChatRequest(
  workspace: CurrentWorkspace,
  request: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  try {
    const session = workspace.require();
    const answer = answerFor(session, request);
    if (answer === undefined) {
      return failed(t("Say after /{0} what you want.", request.command ?? ""));
    }
    return await follow(session, answer, stream, token);
  } catch (error) {
    if (error instanceof NotOpenError) {
      stream.button({ command: error.offer.command, title: error.offer.label });
    }
    return failed(errorText(error));
  }
}

/** Returns what has the Navigator do what was asked for; `undefined` if the request lacks its goal. */
function answerFor(session: WorkspaceSession, request: vscode.ChatRequest): Answer | undefined {
  const words = `${request.prompt}${referred(request.references, session.folder)}`;
  if (isChatCommand(request.command)) {
    const action = chatAction(request.command, request.command === "proceed" ? "" : words);
    return action && ((navigator, requester) => navigator.act(action, undefined, requester));
  }
  if (request.prompt.trim() === "") return undefined;
  return (navigator, requester) => navigator.say(words, undefined, [], { requester });
}

/** Does what was asked for, and writes what becomes of it into the chat. */
async function follow(
  session: WorkspaceSession,
  answer: Answer,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  await session.start();
  const wasBusy = session.busy();
  const reply = new ChatReply(sinkOf(stream, session.folder), t, () => !wasBusy);
  const stopping = new AbortController();
  const subscription = vscode.Disposable.from(
    token.onCancellationRequested(() => {
      stopping.abort(stoppedByUser());
    }),
    session.onDidEmit(({ event }) => {
      reply.take(event);
    }),
  );
  if (token.isCancellationRequested) stopping.abort(stoppedByUser());
  try {
    const requester: Requester = {
      signal: stopping.signal,
      began: (taskId) => {
        reply.follow(taskId);
      },
    };
    const { status } = await answer(await session.navigator(), requester);
    reply.finish();
    const { question, steps, followed } = reply;
    for (const step of steps) {
      if (step.type === "command")
        buttonOf(stream, `rooroo.${step.command}`, step.label, step.about);
    }
    const metadata: ChatMetadata = {
      status,
      tasks: [...followed],
      followups: followups(question, steps, t),
    };
    return { metadata };
  } finally {
    subscription.dispose();
  }
}

function failed(message: string): vscode.ChatResult {
  return { errorDetails: { message }, metadata: { status: "failed", tasks: [], followups: [] } };
}

/** Returns the files and places that came with a request, as words. */
function referred(references: readonly vscode.ChatPromptReference[], folder: vscode.Uri): string {
  const places = references.flatMap(({ value, modelDescription }) => {
    if (value instanceof vscode.Uri) return [pathOf(value, folder)];
    if (value instanceof vscode.Location) {
      const { start, end } = value.range;
      return [`${pathOf(value.uri, folder)}:${start.line + 1}-${end.line + 1}`];
    }
    return typeof value === "string" ? [modelDescription ?? value] : [];
  });
  return places.length === 0
    ? ""
    : `\n\nThis is about:\n${places.map((at) => `- ${at}`).join("\n")}`;
}

function pathOf(uri: vscode.Uri, folder: vscode.Uri): string {
  const root = `${folder.path}/`;
  const isInside = uri.scheme === folder.scheme && uri.path.startsWith(root);
  return isInside ? uri.path.slice(root.length) : uri.fsPath;
}

function sinkOf(stream: vscode.ChatResponseStream, folder: vscode.Uri): ChatSink {
  return {
    progress: (words) => {
      stream.progress(words);
    },
    markdown: (text) => {
      stream.markdown(text);
    },
    plain: (text) => {
      stream.markdown(new vscode.MarkdownString().appendText(text));
    },
    file: (path) => {
      // A model has named it.
      if (!/^([/\\]|[a-z]:)|(^|[/\\])\.\.([/\\]|$)/i.test(path)) {
        stream.reference(vscode.Uri.joinPath(folder, path));
      }
    },
    button: (command, title, about) => {
      buttonOf(stream, command, title, about);
    },
  };
}

function buttonOf(
  stream: vscode.ChatResponseStream,
  command: CommandId,
  title: string,
  about?: string,
): void {
  stream.button({ command, title, ...(about === undefined ? {} : { arguments: [about] }) });
}
