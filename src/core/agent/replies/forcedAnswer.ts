import type * as z from "zod";
import type { MessageImage, ModelMessage, Usage } from "../../ports/messages.js";
import type { LanguageModel, PartsRefused } from "../../ports/model.js";
import { type Said, spoken } from "../../text/words.js";
import { parseArguments } from "../calls/parseArguments.js";
import type { EndingTool } from "../tool.js";
import { definitionOf } from "../toolDefinition.js";
import { withImages } from "../transcript.js";
import { askModel } from "./askModel.js";
import { normalizeReply } from "./normalizeReply.js";

/** The counts and refusals that the model's server reports beside its answers. */
export interface ToldBeside {
  /** The usage of each call whose usage the server has reported. */
  readonly usages: readonly Usage[];
  readonly refused: readonly PartsRefused[];
}

export type ForcedAnswer<T> = ToldBeside &
  ({ readonly ok: true; readonly answer: T } | { readonly ok: false; readonly reason: Said });

interface Prompt {
  readonly system: string;
  readonly user: string;
  /** Images that come with the user message. Absent: none. */
  readonly images?: readonly MessageImage[];
}

/**
 * Asks a model to call one function. If the answer cannot be used, tells the model why and asks once more.
 *
 * @param withoutTools whether the model has no tool calling, so that the answer is asked for as JSON
 * @throws what the model throws
 */
export async function forcedAnswer<T>(
  function_: EndingTool & { readonly parameters: z.ZodType<T> },
  { system, user, images }: Prompt,
  model: LanguageModel,
  signal: AbortSignal,
  withoutTools = false,
): Promise<ForcedAnswer<T>> {
  const tool = definitionOf(function_);
  const { name, parameters: schema } = tool;
  const asked = withoutTools
    ? `${system}\nYou have no functions to call: instead of calling ${name}, answer with its arguments, one JSON object and nothing else, that fits this schema:\n${JSON.stringify(schema)}`
    : system;
  const way = withoutTools
    ? { tools: [], answerSchema: { name, schema } }
    : { tools: [tool], forcedTool: name };
  const messages: ModelMessage[] = [
    { role: "system", content: asked },
    { role: "user", content: user, ...withImages(images) },
  ];
  const usages: Usage[] = [];
  const refused: PartsRefused[] = [];
  let reason: Said = "";
  for (let attempt = 0; attempt < 2; attempt++) {
    const reply = await askModel(
      model,
      { messages, ...way },
      name,
      (event) => {
        if (event.type === "partsRefused") refused.push(event);
      },
      signal,
      (given) => normalizeReply(given, new Map([[name, function_]]), name),
    );
    if (reply.usage !== undefined) usages.push(reply.usage);
    // Models without forced functions put the object into their text.
    const answer = reply.toolCalls[0]?.arguments ?? reply.text;
    const parsed = parseArguments(function_, { id: "", name, arguments: answer });
    if (parsed.ok) return { ok: true, answer: parsed.args, usages, refused };
    reason = parsed.wrong;
    messages.push(
      {
        role: "assistant",
        content: reply.text === "" ? answer || "(nothing)" : reply.text,
        toolCalls: [],
      },
      {
        role: "user",
        content: `That cannot be used (${spoken(reason)}). ${withoutTools ? "Answer with JSON that fits the schema." : `Call ${name} with valid arguments.`}`,
      },
    );
  }
  return { ok: false, reason, usages, refused };
}
