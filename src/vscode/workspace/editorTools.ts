import * as vscode from "vscode";
import { messageOf, UserError } from "../../core/errors.js";
import type { HostAnswer, HostTool, HostTools } from "../../core/ports/editor.js";
import { isOwnTool } from "./ownToolNames.js";

/** The VS Code language model tools that the user has chosen, including those of MCP servers. */
export class EditorTools implements HostTools {
  /** @param chosen returns the names of the chosen tools; called at every use */
  constructor(private readonly chosen: () => readonly string[]) {}

  offered(): HostTool[] {
    const chosen = new Set(this.chosen());
    return vscode.lm.tools
      .filter(({ name }) => chosen.has(name) && !isOwnTool(name))
      .map(({ name, description, inputSchema }) => ({
        name,
        description,
        parameters: { ...inputSchema },
      }));
  }

  async call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<HostAnswer> {
    signal.throwIfAborted();
    if (!this.offered().some((tool) => tool.name === name)) {
      throw new UserError(
        "editorToolGone",
        "The tool {tool} is not available any more, or was switched off. Go on without it.",
        { tool: name },
      );
    }
    const source = new vscode.CancellationTokenSource();
    // A tool may ignore its cancellation; the caller continues anyway.
    const stopped = new Promise<never>((_resolve, reject) => {
      signal.addEventListener(
        "abort",
        () => {
          source.cancel();
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the port says: the signal's reason
          reject(signal.reason);
        },
        { once: true },
      );
    });
    try {
      const options = { input: { ...input }, toolInvocationToken: undefined };
      const called = Promise.resolve(vscode.lm.invokeTool(name, options, source.token));
      const { content } = await Promise.race([called, stopped]);
      const images = content.flatMap((part) => imageIn(part) ?? []);
      const text = content.filter((part) => imageIn(part) === undefined).map(textOf);
      return { text: text.join("\n"), images };
    } catch (error) {
      signal.throwIfAborted();
      throw new UserError("editorToolFailed", "The tool {tool} failed: {problem}", {
        tool: name,
        problem: messageOf(error),
      });
    } finally {
      source.dispose();
    }
  }
}

/** Returns the bytes of a part that is an image. The lowest version that Rooroo runs in has no name for its type. */
function imageIn(part: unknown): Uint8Array | undefined {
  const { mimeType, data } = (part ?? {}) as {
    readonly mimeType?: unknown;
    readonly data?: unknown;
  };
  const isImage = typeof mimeType === "string" && mimeType.startsWith("image/");
  return isImage && data instanceof Uint8Array ? data : undefined;
}

function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  return "(Something that is not text.)";
}
