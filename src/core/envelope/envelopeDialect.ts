import * as z from "zod";
import type { Dialect, WithoutCall } from "../agent/dialects/dialect.js";
import { askModel } from "../agent/replies/askModel.js";
import type { AnyTool, Printed, ToolResult } from "../agent/tool.js";
import { withImages } from "../agent/transcript.js";
import type { FileSystem } from "../ports/files.js";
import type { ModelMessage } from "../ports/messages.js";
import type { ModelRequest } from "../ports/model.js";
import type { Clock } from "../ports/system.js";
import { spoken, words } from "../text/words.js";
import { closestContexts, isContext } from "./closestContexts.js";
import { envelope } from "./envelope.js";
import { checklistOf, interpretReply } from "./interpretReply.js";
import type { EnvelopeProblem } from "./rules.js";

export interface EnvelopeDialectParts {
  /** Commands and the tools that end a turn, by name. */
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** The text that follows the system message in every request; see `protocolText`. */
  readonly protocol: string;
  /** Whether a message by itself is addressed to the user and ends nothing. */
  readonly talks: boolean;
  readonly files: FileSystem;
  readonly clock: Clock;
  newCallId(): string;
}

/**
 * R-ENV-1 to R-ENV-17: The dialect for models that cannot call tools; requests and replies are plain
 * text.
 */
export function envelopeDialect(parts: EnvelopeDialectParts): Dialect {
  const { tools, talks, clock, files } = parts;
  let schema: Readonly<Record<string, unknown>> | undefined;
  return {
    name: "envelope",
    invalidRepliesAllowed: 5,
    tools,
    toolText: () => parts.protocol,

    async ask(model, messages, messageId, onEvent, signal) {
      schema ??= z.toJSONSchema(envelope);
      const request: ModelRequest = {
        messages: plainMessages(messages, parts.protocol),
        tools: [],
        answerSchema: { name: "envelope", schema },
      };
      // The streamed reply is JSON, which the user is not shown.
      const progress = { wasRetried: false };
      const withoutText = (event: Parameters<typeof onEvent>[0]): void => {
        if (event.type !== "usage" && event.type !== "retrying") return;
        progress.wasRetried ||= event.type === "retrying";
        onEvent(event);
      };
      const reply = await askModel(model, request, messageId, withoutText, signal);
      const interpreted = interpretReply(reply.text, messages, talks);
      const shown = interpreted.type === "broken" ? "" : interpreted.text;
      if (shown !== "" || progress.wasRetried) onEvent({ type: "text", messageId, text: shown });
      if (interpreted.type !== "call") return { ...reply, toolCalls: [] };
      const { name, plan = [] } = interpreted;
      if (plan.length > 0) onEvent({ type: "checklist", steps: checklistOf(plan) });
      const call = { id: parts.newCallId(), name, arguments: interpreted.arguments };
      return { ...reply, toolCalls: [call] };
    },

    withoutCall(messages, modelName) {
      const text = messages.at(-1)?.content.trim() ?? "";
      const interpreted = interpretReply(text, messages.slice(0, -1), talks);
      if (interpreted.type === "message" && talks) {
        return Promise.resolve<WithoutCall>({ type: "speaks", text: interpreted.text });
      }
      const problems = interpreted.type === "broken" ? interpreted.problems : [unfinished];
      const stderr =
        text === "" ? "Your reply was empty. Send an envelope." : brokenRules(problems);
      const printed = { stdout: "", stderr, exitCode: 1, truncated: false, killed: false };
      return Promise.resolve<WithoutCall>({
        type: "invalid",
        why: text === "" ? "empty" : interpreted.type === "broken" ? "brokenEnvelope" : "noCall",
        content: observation(printed, 0, clock.now()),
        failure: (times) =>
          text === ""
            ? words(
                "The model {model} answered with nothing, {times, plural, one {# time} other {# times}}. Try again, or choose another model.",
                { model: modelName, times },
              )
            : words(
                "The model {model} answered {times, plural, one {# time} other {# times}} without a valid envelope ({rule}); choose another model. Its last words: {said}",
                {
                  model: modelName,
                  times,
                  rule: problems[0]?.rule ?? "",
                  said: text.slice(0, 500),
                },
              ),
      });
    },

    resultText: (result, durationMs) => observation(printedBy(result), durationMs, clock.now()),

    supply: (messages) => closestContexts(messages, files),
  };
}

/** The problem of an envelope that neither ends the work nor says what comes next. */
const unfinished: EnvelopeProblem = {
  rule: "R-ENV-4/D1-running-step",
  path: "",
  message: words(
    "has neither a command nor an end; go on with a plan and a command, or end with plan [] and the report",
  ),
};

function brokenRules(problems: readonly EnvelopeProblem[]): string {
  const lines = problems.map(
    ({ rule, path, message }) => `${rule}: ${path === "" ? "the reply" : path} ${spoken(message)}.`,
  );
  return ["The envelope breaks these rules, so nothing was done:", ...lines].join("\n");
}

/**
 * Returns the conversation for a model that does not know tool calls. Consecutive user messages become
 * one: many models' templates want the sides to take turns.
 */
function plainMessages(messages: readonly ModelMessage[], protocol: string): ModelMessage[] {
  const names = new Map<string, string>();
  const plain: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const call of message.toolCalls) names.set(call.id, call.name);
    }
    const next = plainMessage(message, protocol, names);
    const last = plain.at(-1);
    if (last?.role === "user" && next.role === "user") {
      const images = [...(last.images ?? []), ...(next.images ?? [])];
      const content = `${last.content}\n\n${next.content}`;
      plain[plain.length - 1] = { role: "user", content, ...withImages(images) };
    } else plain.push(next);
  }
  return plain;
}

function plainMessage(
  message: ModelMessage,
  protocol: string,
  names: ReadonlyMap<string, string>,
): ModelMessage {
  switch (message.role) {
    case "system":
      return { role: "system", content: `${message.content}\n\n${protocol}` };
    case "user":
      return message;
    case "assistant": {
      if (message.content.trim() !== "") return { ...message, toolCalls: [] };
      // This message is of the native dialect and has calls but no text.
      const calls = message.toolCalls.map((call) => `${call.name} ${call.arguments}`);
      return { role: "assistant", content: calls.join("\n") || "(nothing)", toolCalls: [] };
    }
    case "tool": {
      const asked = names.get(message.callId) === "ask_followup_question";
      const answer = asked && !isObservation(message.content);
      return {
        role: "user",
        content: answer ? `The user answers: ${message.content}` : message.content,
        ...withImages(message.images),
      };
    }
  }
}

/**
 * R-ENV-16: Returns the message that tells the model the result of a command, or what is wrong with an
 * envelope.
 *
 * @param at when the command ended
 */
function observation(printed: Printed, runtimeMs: number, at: Date): string {
  const { stdout, stderr, note, exitCode, truncated, killed } = printed;
  return JSON.stringify({
    observation_for_llm: {
      stdout,
      stderr,
      exit_code: exitCode,
      truncated,
      ...(note === undefined ? {} : { note }),
    },
    observation_metadata: { runtime_ms: runtimeMs, killed, timestamp: at.toISOString() },
  });
}

/**
 * Returns what a tool printed. For a tool that prints nothing, its content stands in for the output, or
 * for the error output if it failed.
 */
function printedBy({ ok, content, printed }: ToolResult): Printed {
  if (printed !== undefined) return printed;
  const fixed = { truncated: false, killed: false };
  return ok
    ? { stdout: content, stderr: "", exitCode: 0, ...fixed }
    : { stdout: "", stderr: content, exitCode: 1, ...fixed };
}

/** Returns whether a text is an {@link observation}: nothing that a person writes begins like this. */
function isObservation(text: string): boolean {
  return text.startsWith('{"observation_for_llm":');
}

/** Returns whether a text is the harness's own message about where a session begins. */
function isEnvironment(text: string): boolean {
  return text.startsWith("<environment>\n");
}

/**
 * Returns the messages that the user wrote, leaving out the harness's own messages in the `user` role.
 */
export function userMessages(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap(({ role, content }) =>
    role === "user" && !isObservation(content) && !isContext(content) && !isEnvironment(content)
      ? [content]
      : [],
  );
}
