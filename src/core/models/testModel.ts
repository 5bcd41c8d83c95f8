import * as z from "zod";
import { askModel } from "../agent/askModel.js";
import { definitionOf } from "../agent/toolDefinition.js";
import type { Clock, LanguageModel } from "../ports.js";

export interface ModelTest {
  /** It called the one tool that it was told to call, with arguments that fit. */
  readonly callsTools: boolean;
  /** Milliseconds until the answer was whole. */
  readonly tookMs: number;
  /** The server says what a request costs. */
  readonly countsTokens: boolean;
}

const parameters = z.object({ word: z.string() });

/** Asks a model for something small, as experts ask it. Throws what the model throws. */
export async function testModel(
  model: LanguageModel,
  clock: Clock,
  signal: AbortSignal,
): Promise<ModelTest> {
  const tool = definitionOf({ name: "say", description: "Say a word.", parameters });
  const began = clock.now().getTime();
  const { toolCalls, usage } = await askModel(
    model,
    {
      messages: [
        { role: "system", content: "You test a connection. Call the tool say once." },
        { role: "user", content: "Say the word hello." },
      ],
      tools: [tool],
      forcedTool: tool.name,
    },
    "test",
    () => undefined,
    signal,
  );
  const callsTools = toolCalls.some(
    ({ name, arguments: json }) => name === tool.name && fits(json),
  );
  const tookMs = clock.now().getTime() - began;
  return { callsTools, tookMs, countsTokens: usage !== undefined };
}

function fits(json: string): boolean {
  try {
    return parameters.safeParse(JSON.parse(json)).success;
  } catch {
    return false;
  }
}
