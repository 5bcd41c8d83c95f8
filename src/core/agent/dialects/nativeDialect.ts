import { parseLooseJson } from "../../documents/looseJson.js";
import { recordOf } from "../../documents/recordOf.js";
import { type Said, spoken, words } from "../../text/words.js";
import { parseArguments } from "../calls/parseArguments.js";
import { refusedWords, type Rejection } from "../calls/settleCalls.js";
import { askModel } from "../replies/askModel.js";
import { normalizeReply } from "../replies/normalizeReply.js";
import type { AnyTool } from "../tool.js";
import { definitionOf, inputSchema } from "../toolDefinition.js";
import type { Dialect } from "./dialect.js";

export interface NativeDialectParts {
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** See `Calls.accept`. */
  readonly accept: (args: unknown) => Promise<Rejection | undefined>;
  /** The meaning of a reply without a tool call: a question to the person, or an invalid reply. */
  readonly onPlainText: "question" | "invalid";
}

/** Returns the dialect that uses the server's own tool calls. */
export function nativeDialect({ tools, accept, onPlainText }: NativeDialectParts): Dialect {
  // The same bytes every turn, so that a server's prompt cache works.
  const definitions = [...tools.values()].map(definitionOf);
  let toolText: string | undefined;
  return {
    name: "native",
    invalidRepliesAllowed: 2,
    tools,
    toolText: () => (toolText ??= JSON.stringify(definitions)),

    ask: (model, messages, messageId, onEvent, signal) =>
      askModel(model, { messages, tools: definitions }, messageId, onEvent, signal, (reply) =>
        normalizeReply(reply, tools, messageId),
      ),

    async withoutCall(messages, modelName) {
      const text = messages.at(-1)?.content.trim() ?? "";
      if (onPlainText === "question" && text !== "") return { type: "speaks", text };
      const written = await completionInText(text);
      if (written !== undefined && "args" in written) return { type: "completed", ...written };
      const asks = tools.has("ask_followup_question")
        ? "; if you need an answer from the user, call ask_followup_question"
        : "";
      const what = text === "" ? "Your reply was empty." : "Your reply called no tool.";
      return {
        type: "invalid",
        why: text === "" ? "empty" : "noCall",
        content: `${what} ${written === undefined ? "" : `${spoken(written.wrong)} `}Go on with the next tool call. If the work is finished, or cannot be, call attempt_completion${asks}.`,
        failure: (times) =>
          written !== undefined
            ? refusedWords(written.wrong)
            : text === ""
              ? words(
                  "The model {model} answered with nothing, {times, plural, one {# time} other {# times}}. Try again, or choose another model.",
                  { model: modelName, times },
                )
              : words(
                  "The model {model} answered {times, plural, one {# time} other {# times}} without calling a tool. It may not support tool calling; choose another model. Its last words: {said}",
                  { model: modelName, times, said: text.slice(0, 500) },
                ),
      };
    },
  };

  /**
   * Returns the arguments of a completion that a model wrote as text instead of calling the tool: one JSON object that fits
   * the tool's schema and is accepted. Returns what is wrong with one that is not; `undefined` if the text is none.
   */
  async function completionInText(
    text: string,
  ): Promise<{ readonly args: unknown } | { readonly wrong: Said } | undefined> {
    const tool = [...tools.values()].find(({ kind }) => kind === "completion");
    if (tool === undefined || !text.includes("{")) return undefined;
    const json = parseLooseJson(text);
    const fields = Object.keys((json.ok ? recordOf(json.value) : undefined) ?? {});
    const { properties = {} } = inputSchema(tool.parameters);
    const parsed = parseArguments(tool, { id: "", name: tool.name, arguments: text });
    if (!parsed.ok) {
      const isMeant = fields.some((name) => Object.hasOwn(properties, name));
      return isMeant ? { wrong: parsed.wrong } : undefined;
    }
    const wrong = await accept(parsed.args);
    if (wrong === undefined) return { args: parsed.args };
    if (typeof wrong === "string") return { wrong };
    return "misfit" in wrong ? { wrong: wrong.misfit } : undefined;
  }
}
