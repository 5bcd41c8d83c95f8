import * as z from "zod";
import { askModel, type Reply } from "../agent/replies/askModel.js";
import { definitionOf } from "../agent/toolDefinition.js";
import { parseJson } from "../documents/parseJson.js";
import { ModelError } from "../errors.js";
import type { ModelMessage } from "../ports/messages.js";
import type { LanguageModel, ModelRequest } from "../ports/model.js";
import type { Clock } from "../ports/system.js";

export interface ModelTest {
  /** Whether the model called the tool that it was told to call, with arguments that fit. */
  readonly callsTools: boolean;
  /** Milliseconds until the answer was complete. */
  readonly tookMs: number;
  /** Whether the server says how many tokens a request takes. */
  readonly countsTokens: boolean;
}

const parameters = z.object({ word: z.string() });

const messages: readonly ModelMessage[] = [
  { role: "system", content: "You test a connection. Call the tool say once." },
  { role: "user", content: "Say the word hello." },
];

/**
 * Makes a small request to a model, as experts do; without tools, if the server says that the model has no
 * tool calling.
 *
 * @throws what the model throws
 */
export async function testModel(
  model: LanguageModel,
  clock: Clock,
  signal: AbortSignal,
): Promise<ModelTest> {
  const tool = definitionOf({ name: "say", description: "Say a word.", parameters });
  const ask = (request: Omit<ModelRequest, "messages">) =>
    askModel(model, { messages, ...request }, "test", () => undefined, signal);
  const began = clock.now().getTime();
  let reply: Reply;
  try {
    reply = await ask({ tools: [tool], forcedTool: tool.name });
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== "toolsUnsupported") throw error;
    reply = await ask({ tools: [] });
  }
  const { toolCalls, usage } = reply;
  const callsTools = toolCalls.some(
    ({ name, arguments: json }) => name === tool.name && fits(json),
  );
  const tookMs = clock.now().getTime() - began;
  return { callsTools, tookMs, countsTokens: usage !== undefined };
}

function fits(json: string): boolean {
  const parsed = parseJson(json);
  return parsed.ok && parameters.safeParse(parsed.value).success;
}
