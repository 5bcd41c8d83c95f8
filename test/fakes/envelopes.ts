import type { ScriptedResponse } from "./scriptedModel.js";

const running = [{ step: "1", title: "Do it", status: "running" }];

/** Returns an envelope that has one command, with a plan of one step. */
export function commands(command: object, plan: readonly object[] = running): ScriptedResponse {
  return { text: JSON.stringify({ message: "I go on.", plan, command }) };
}

/** Returns an envelope that ends the work with a report. */
export function reports(fields: Record<string, unknown>): ScriptedResponse {
  return says(`\`\`\`report\n${JSON.stringify(fields)}\n\`\`\``);
}

export function asksInEnvelope(question: string, suggestions: string[] = []): ScriptedResponse {
  return says(`${question}\n\`\`\`question\n${JSON.stringify({ suggestions })}\n\`\`\``);
}

/** Returns an envelope with an empty plan and a message. */
export function says(message: string): ScriptedResponse {
  return { text: JSON.stringify({ message, plan: [] }) };
}

/** Returns what the model was told of a command, out of one of its messages. */
export function observed(content: string): {
  observation_for_llm: {
    stdout: string;
    stderr: string;
    exit_code: number;
    readonly note?: string;
    truncated: boolean;
  };
  observation_metadata: { runtime_ms: number; killed: boolean; timestamp: string };
} {
  return JSON.parse(content.slice(content.indexOf("{"))) as ReturnType<typeof observed>;
}
