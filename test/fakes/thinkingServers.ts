/** What a server of Chat Completions gives of its reasoning, and what it refuses because it did not get that back. */
export interface ThinkingServer {
  /** The fields of the deltas that come before a reply's text and calls, in order. */
  message(reply: number): readonly object[];
  /** The fields of a reply's call beside its name and arguments. */
  call(reply: number, index: number): object;
  /** Returns the answer to a request that lacks something; `undefined` if nothing is missing. */
  refusal(messages: readonly SentMessage[]): { status: number; body: unknown } | undefined;
}

/** A message as it came over the wire. */
export interface SentMessage extends Readonly<Record<string, unknown>> {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
}

const plain = (messages: readonly SentMessage[]) => messages.filter(hasCalls);
const hasCalls = ({ tool_calls = [] }: SentMessage) => tool_calls.length > 0;
const noFields = () => ({});

/**
 * Gemini 3 behind its OpenAI-compatible address signs the first of the calls that it makes at once, and refuses the
 * running turn's calls without their signatures; it says so in a list.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
function gemini(): ThinkingServer {
  const signature = (reply: number) => `signed+${reply}/=`;
  return {
    message: () => [],
    call: (reply, index) =>
      index === 0 ? { extra_content: { google: { thought_signature: signature(reply) } } } : {},
    refusal: (messages) => {
      const turn = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
      const isSigned = ({ tool_calls: [first] = [] }: SentMessage) => {
        const given = (first?.["extra_content"] ?? {}) as {
          google?: { thought_signature?: string };
        };
        return /^signed\+\d+\/=$|^skip_thought_signature_validator$/.test(
          given.google?.thought_signature ?? "",
        );
      };
      if (plain(turn).every(isSigned)) return undefined;
      const message = "Function call is missing a thought_signature in functionCall parts.";
      return {
        status: 400,
        body: [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }],
      };
    },
  };
}

/**
 * DeepSeek in thinking mode wants the reasoning of every message with calls in all later requests, and refuses one that
 * is empty. https://api-docs.deepseek.com/guides/thinking_mode
 */
function deepSeek(): ThinkingServer {
  return {
    message: (reply) => [{ reasoning_content: `I think ` }, { reasoning_content: `of ${reply}.` }],
    call: noFields,
    refusal: (messages) => {
      const fits = ({ reasoning_content: text }: SentMessage) =>
        typeof text === "string" && /^(I think of \d+\.| )$/.test(text);
      if (plain(messages).every(fits)) return undefined;
      const message =
        "The `reasoning_content` in the thinking mode must be passed back to the API.";
      return { status: 400, body: { error: { message, type: "invalid_request_error" } } };
    },
  };
}

/**
 * OpenRouter gives details in pieces, signs them at the end, and wants them back as they were.
 * https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
function openRouter(): ThinkingServer {
  const part = (fields: object) => ({
    reasoning_details: [
      { type: "reasoning.text", format: "anthropic-claude-v1", index: 0, ...fields },
    ],
  });
  return {
    message: (reply) => [
      { reasoning: "I think ", ...part({ text: "I think ", signature: null }) },
      { reasoning: `of ${reply}.`, ...part({ text: `of ${reply}.` }) },
      part({ signature: `signed${reply}` }),
      {
        reasoning_details: [
          { type: "reasoning.encrypted", data: `secret${reply}`, id: `r${reply}`, index: 1 },
          { type: "reasoning.encrypted", data: `more${reply}`, id: `s${reply}`, index: 1 },
        ],
      },
    ],
    call: noFields,
    refusal: (messages) => {
      const isWhole = ({ reasoning_details: details }: SentMessage) =>
        details === undefined ||
        /^\[\{"type":"reasoning\.text","format":"anthropic-claude-v1","index":0,"text":"I think of (\d+)\.","signature":"signed\1"\},\{"type":"reasoning\.encrypted","data":"secret\1","id":"r\1","index":1\},\{"type":"reasoning\.encrypted","data":"more\1","id":"s\1","index":1\}\]$/.test(
          JSON.stringify(details),
        );
      if (messages.every(isWhole)) return undefined;
      return { status: 400, body: { error: { message: "Invalid signature in thinking block." } } };
    },
  };
}

/** LiteLLM puts Gemini's signature into the call's id. https://docs.litellm.ai/blog/gemini_3 */
function liteLlm(): ThinkingServer {
  const id = (reply: number, index: number) =>
    `call_${reply}_${index}__thought__${"c2lnbmVk".repeat(20)}+/=`;
  return {
    message: () => [],
    call: (reply, index) => ({ id: id(reply, index) }),
    refusal: (messages) => {
      const ids = [
        ...plain(messages).flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.id)),
        ...messages.flatMap(({ tool_call_id }) => (tool_call_id as string | undefined) ?? []),
      ];
      if (ids.every((one) => one.endsWith("+/="))) return undefined;
      return { status: 400, body: { detail: "The function call has no signature." } };
    },
  };
}

/** Groq gives reasoning and refuses messages that have it. */
function groq(): ThinkingServer {
  return {
    message: () => [{ reasoning: "I think." }],
    call: noFields,
    refusal: (messages) => {
      if (messages.every((message) => !("reasoning" in message))) return undefined;
      const message = "'messages.2' : property 'reasoning' is unsupported";
      return { status: 400, body: { error: { message, type: "invalid_request_error" } } };
    },
  };
}

export const thinkingServers: ReadonlyMap<string, () => ThinkingServer> = new Map([
  ["Gemini", gemini],
  ["DeepSeek", deepSeek],
  ["OpenRouter", openRouter],
  ["LiteLLM", liteLlm],
  ["Groq", groq],
]);
