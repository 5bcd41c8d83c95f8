import { randomBytes } from "node:crypto";
import * as z from "zod";
import { parseJson } from "../../core/documents/parseJson.js";
import { ModelError } from "../../core/errors.js";
import type { AnswerLimit } from "../../core/models/answerLimit.js";
import { modelServerAt } from "../../core/models/modelServers.js";
import { cuts, type ToolCall, type Usage } from "../../core/ports/messages.js";
import type { ModelEvent } from "../../core/ports/model.js";
import { valueAt } from "./contextTokens.js";
import { finishReason } from "./finishReason.js";
import { type CallExtras, callExtras, GivenReasoning, noExtras } from "./givenReasoning.js";
import { endedEarly, endedInTheMiddle, shownAddress } from "./modelErrors.js";
import type { ResponseChunk } from "./responseChunks.js";
import type { ServerOptions } from "./serverOptions.js";

type Content = string | readonly ContentPart[] | null;
interface ContentPart {
  readonly type?: string;
  readonly text?: string;
  readonly thinking?: Content;
}

/** A choice as servers send it; any field may be missing. Servers that do not stream send `message`. */
interface Choice {
  readonly delta?: Delta | null;
  readonly message?: Delta | null;
  readonly finish_reason?: string | null;
}

interface Delta {
  readonly content?: Content;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly ToolCallFragment[] | null;
  readonly function_call?: ToolCallFragment["function"];
}

/**
 * Translates a stream of chunks into events. Tool calls, usage and the finish reason are yielded last,
 * when all chunks have arrived.
 *
 * @param taken ids of the tool calls that are already in the conversation
 * @param limit is told of all that the model writes
 * @throws ModelError if the stream is no chat completion, breaks off or does not end
 */
export async function* chatEvents(
  chunks: AsyncIterable<ResponseChunk | "done">,
  taken: ReadonlySet<string>,
  options: ServerOptions,
  limit: AnswerLimit,
): AsyncGenerator<ModelEvent> {
  const fragments = new ToolCallFragments();
  const given = new GivenReasoning();
  let usage: Usage | undefined;
  let finish: string | undefined;
  let isDone = false;
  let isAnswer = false;
  /** Whether the model itself refuses; the server then says that the reply has ended as others do. */
  let isRefused = false;
  for await (const chunk of chunks) {
    if (chunk === "done") {
      isDone = true;
      continue;
    }
    usage = merged(usage, chatUsage(chunk["usage"], options.baseUrl));
    const choices = chunk["choices"];
    if (Array.isArray(choices)) isAnswer = true;
    const [choice] = Array.isArray(choices) ? (choices as readonly (Choice | undefined)[]) : [];
    if (!choice) continue;
    const delta = choice.delta ?? choice.message ?? {};
    limit.add(charactersIn(delta));
    given.add(delta);
    const reasoning = `${delta.reasoning_content ?? delta.reasoning ?? ""}${thoughtIn(delta.content)}`;
    if (reasoning !== "") yield { type: "reasoning", text: reasoning };
    if ((delta.refusal ?? "") !== "") isRefused = true;
    const text = textIn(delta.content) + (delta.refusal ?? "");
    if (text !== "") yield { type: "text", text };
    for (const [index, fragment] of (delta.tool_calls ?? []).entries()) {
      // The calls of a whole message have no index; each of them is complete.
      fragments.add(choice.message ? { ...fragment, index } : fragment);
    }
    if (delta.function_call) fragments.add({ index: 0, function: delta.function_call });
    // Some servers send an empty finish reason with every chunk.
    if (choice.finish_reason !== "") finish = choice.finish_reason ?? finish;
  }
  const calls = fragments.finish(taken);
  const told = finishReason(finish ?? "stop");
  if (told === "failed") throw endedInTheMiddle(shownAddress(options));
  const isCut = finish === undefined && !calls.every(isWhole);
  const problem = brokenOff({ isAnswer, isDone, finish, isCut }, options);
  if (problem !== undefined) throw problem;
  // A call that the output limit has truncated is dropped.
  const isOnlyRefusal = isRefused && calls.length === 0;
  // Some servers send "stop" after tool calls, too.
  const after = told === "stop" && calls.length > 0 ? "toolCalls" : told;
  const reason = isOnlyRefusal ? "filtered" : after;
  const whole = cuts.some((cut) => cut === reason) ? calls.filter(isWhole) : calls;
  for (const call of whole) yield { type: "toolCall", call };
  const reasoning = given.finish(options.name, whole, fragments.extras);
  if (reasoning) yield { type: "keptReasoning", reasoning };
  if (usage) yield { type: "usage", usage };
  yield { type: "finish", reason };
}

/** Returns the error of a response that is not complete; `undefined` if it is. */
function brokenOff(
  response: {
    /** Whether any chunk had choices. */
    readonly isAnswer: boolean;
    /** Whether the server marked the end of the stream. */
    readonly isDone: boolean;
    readonly finish: string | undefined;
    /** Whether it ends in the middle of a tool call. */
    readonly isCut: boolean;
  },
  options: ServerOptions,
): ModelError | undefined {
  const { isAnswer, isDone, finish, isCut } = response;
  const address = shownAddress(options);
  if (!isAnswer)
    return new ModelError(
      "brokenResponse",
      "{address} sent no chat completion. Try again; if it stays like that, check the model's address.",
      { address },
    );
  if (finish === undefined && !isDone) return endedEarly(address);
  if (isCut) {
    return new ModelError(
      "brokenResponse",
      "The answer of {address} ended in the middle of a tool call. Try again; if it stays like that, check the model's address.",
      { address },
    );
  }
  return undefined;
}

function textIn(content: Content | undefined): string {
  if (content === undefined || content === null || typeof content === "string") {
    return content ?? "";
  }
  return content.map((part) => part.text ?? "").join("");
}

function thoughtIn(content: Content | undefined): string {
  if (content === undefined || content === null || typeof content === "string") return "";
  return content.map(({ thinking }) => textIn(thinking)).join("");
}

/** Fields whose texts say what something is: a server may repeat them for as long as the model writes nothing. */
const labels: ReadonlySet<string> = new Set(["role", "type", "id"]);

/** Counts the characters of all texts that a model writes, whatever the server calls them. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce<number>(
    (sum, [name, one]) => (labels.has(name) ? sum : sum + charactersIn(one)),
    0,
  );
}

function isWhole(call: ToolCall): boolean {
  return parseJson(call.arguments).ok;
}

/** A fragment of a tool call as servers really send it; any field may be missing. */
export interface ToolCallFragment {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

interface Draft {
  id: string;
  name: string;
  arguments: string;
  extras: CallExtras;
}

/**
 * The shortest id that is kept: shorter ones are counters, as in `call_0`, that come again in the next
 * response.
 */
const shortestId = 9;

/** Assembles the tool calls of one response from their fragments. */
export class ToolCallFragments {
  private readonly drafts: Draft[] = [];
  /** The call of each index that began last. */
  private readonly byIndex = new Map<unknown, Draft>();
  /** What came with each call beside its id, name and arguments, by id; there when {@link finish} has returned. */
  readonly extras = new Map<string, CallExtras>();

  add(fragment: ToolCallFragment): void {
    const id = fragment.id ?? "";
    const name = fragment.function?.name ?? "";
    const draft = this.continued(fragment, id, name) ?? this.begin(fragment.index ?? undefined);
    if (draft.id === "") draft.id = id;
    // A name may come in fragments, or as a whole with every fragment.
    if (draft.arguments === "" && name !== draft.name) draft.name += name;
    const more = fragment.function?.arguments ?? "";
    draft.arguments += typeof more === "string" ? more : JSON.stringify(more);
    draft.extras = callExtras(draft.extras, fragment, fragment.function ?? {});
  }

  /**
   * Returns the complete calls, each with an id of its own.
   *
   * @param taken ids that are already in the conversation
   */
  finish(taken: ReadonlySet<string>): ToolCall[] {
    const used = new Set(taken);
    return this.drafts.map((draft) => {
      const usable = draft.id.length >= shortestId && !used.has(draft.id);
      const id = usable ? draft.id : `call_${randomBytes(12).toString("hex")}`;
      used.add(id);
      this.extras.set(id, draft.extras);
      return { id, name: draft.name, arguments: draft.arguments };
    });
  }

  private continued(fragment: ToolCallFragment, id: string, name: string): Draft | undefined {
    const hasIndex = typeof fragment.index === "number";
    const draft = hasIndex ? this.byIndex.get(fragment.index) : this.drafts.at(-1);
    if (!draft) return undefined;
    // Some servers give every call the index 0; another id with a name is another call.
    const another = id !== "" && draft.id !== "" && id !== draft.id && name !== "";
    const unnumbered = !hasIndex && name !== "" && draft.name !== "" && id !== draft.id;
    return another || unnumbered ? undefined : draft;
  }

  private begin(index: number | undefined): Draft {
    const draft = { id: "", name: "", arguments: "", extras: noExtras };
    this.drafts.push(draft);
    if (index !== undefined) this.byIndex.set(index, draft);
    return draft;
  }
}

const amount = z.number().min(0);
const count = amount.transform(Math.round);

const totals = z.object({ prompt_tokens: count, completion_tokens: count });

/**
 * Paths at which servers report how much of the prompt came from their cache. Sources: the chat
 * completion references of OpenAI, DeepSeek and Moonshot; the last is Anthropic's name, which gateways
 * pass on.
 */
const cachePlaces: readonly (readonly string[])[] = [
  ["prompt_tokens_details", "cached_tokens"],
  ["prompt_cache_hit_tokens"],
  ["cached_tokens"],
  ["cache_read_input_tokens"],
];

/**
 * Reads the usage that a server reports; `undefined` if its token counts are missing or invalid. Never
 * throws.
 *
 * @param baseUrl the server's address: only OpenRouter's cost is read, which is in US dollars
 *   (https://openrouter.ai/docs/use-cases/usage-accounting); the unit of other servers is not known
 */
export function chatUsage(usage: unknown, baseUrl = ""): Usage | undefined {
  const read = totals.safeParse(usage);
  if (!read.success) return undefined;
  const { prompt_tokens: counted, completion_tokens: outputTokens } = read.data;
  const cachedTokens = cachedIn(usage);
  // What came from the cache is a part of the prompt; a server that has more of it counts it beside the rest.
  const isBeside = cachedTokens > counted;
  const inputTokens = isBeside ? counted + cachedTokens + writtenIn(usage) : counted;
  const cost = amount.safeParse(valueAt(usage, ["cost"]));
  const isDollars = modelServerAt(baseUrl)?.name === "OpenRouter";
  return {
    inputTokens,
    outputTokens,
    cachedTokens,
    ...(isDollars && cost.success ? { costUsd: cost.data } : {}),
  };
}

/** Returns the usage after another report of it: a zero never takes the place of a count. */
function merged(before: Usage | undefined, now: Usage | undefined): Usage | undefined {
  if (before === undefined || now === undefined) return now ?? before;
  const input = now.inputTokens === 0 ? before : now;
  return {
    ...before,
    ...now,
    inputTokens: input.inputTokens,
    cachedTokens: input.cachedTokens,
    outputTokens: now.outputTokens === 0 ? before.outputTokens : now.outputTokens,
  };
}

function writtenIn(usage: unknown): number {
  const read = count.safeParse(valueAt(usage, ["cache_creation_input_tokens"]));
  return read.success ? read.data : 0;
}

function cachedIn(usage: unknown): number {
  for (const place of cachePlaces) {
    const read = count.safeParse(valueAt(usage, place));
    if (read.success) return read.data;
  }
  return 0;
}
