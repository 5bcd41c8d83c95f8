import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArguments } from "../../../../../src/core/agent/calls/parseArguments.js";
import { nativeDialect } from "../../../../../src/core/agent/dialects/nativeDialect.js";
import type { AgentEvent } from "../../../../../src/core/agent/events.js";
import type { AnyTool } from "../../../../../src/core/agent/tool.js";
import { completionTool } from "../../../../../src/core/experts/report.js";
import { workspaceTools } from "../../../../../src/core/tools/workspaceTools.js";
import { type ScriptedResponse, ScriptedModel } from "../../../../fakes/scriptedModel.js";

/** A reply that is not as it should be, written after what users report. */
export interface MalformedReply {
  readonly kind: string;
  /** Where such replies are reported, as in `owner/repository#number`. */
  readonly source: string;
  readonly text?: string;
  /** Calls by the server's own way. */
  readonly native?: readonly { readonly name: string; readonly arguments: string }[];
  /** `text`: it stays as it is, without thoughts. */
  readonly expect: Outcome;
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
  /** What the message says in the end, where that is not the text itself. */
  readonly rest?: string;
}

type Outcome = "recovered" | "asked again" | "text";

const path = join(import.meta.dirname, "../../../../../../test/fixtures/malformedReplies.jsonl");

export const malformedReplies = readFileSync(path, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as MalformedReply);

export const toolbox: ReadonlyMap<string, AnyTool> = new Map(
  [...workspaceTools, completionTool("task")].map((tool) => [tool.name, tool]),
);

export interface Understanding {
  readonly text: string;
  /** `undefined` arguments: the model is told what is wrong with them. */
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  /** As they go into the transcript. */
  readonly raw: readonly { readonly name: string; readonly arguments: string }[];
  readonly events: readonly AgentEvent[];
}

/** Returns what an expert's loop makes of a model's reply. */
export async function understood(response: ScriptedResponse): Promise<Understanding> {
  const accept = () => Promise.resolve(undefined);
  const dialect = nativeDialect({ tools: toolbox, accept, onPlainText: "invalid" });
  const events: AgentEvent[] = [];
  const reply = await dialect.ask(
    new ScriptedModel([response]),
    [],
    "m-1",
    (event) => events.push(event),
    new AbortController().signal,
  );
  const calls = reply.toolCalls.map((call) => {
    const tool = toolbox.get(call.name);
    const parsed = tool && parseArguments(tool, call);
    return {
      name: call.name,
      arguments: parsed?.ok === true ? (JSON.parse(call.arguments) as unknown) : undefined,
    };
  });
  return { text: reply.text, calls, raw: reply.toolCalls, events };
}

/** Returns what came of one of the replies; `wrong` where that is not what is expected. */
export async function outcomeOf(reply: MalformedReply): Promise<Outcome | "wrong"> {
  const { text, native } = reply;
  const made = await understood({
    ...(text === undefined ? {} : { text: pieces(text) }),
    ...(native === undefined ? {} : { toolCalls: native }),
  });
  const isCalled =
    made.calls.length > 0 && made.calls.every((call) => call.arguments !== undefined);
  if (isCalled) {
    return isSame(made.calls, reply.calls) && made.text === (reply.rest ?? "")
      ? "recovered"
      : "wrong";
  }
  if (made.calls.some((call) => call.arguments !== undefined)) return "wrong";
  if (reply.expect !== "text") return "asked again";
  return made.calls.length === 0 && made.text === (reply.rest ?? text ?? "") ? "text" : "wrong";
}

function pieces(text: string): string[] {
  return text.match(/[^]{1,3}/g) ?? [];
}

function isSame(made: unknown, expected: unknown): boolean {
  try {
    assert.deepEqual(made, expected);
    return true;
  } catch {
    return false;
  }
}
