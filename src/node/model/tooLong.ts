import * as z from "zod";
import { type ApiError, fieldIn, withoutStatus } from "./apiError.js";

/** What a server's refusal of a too long request says in numbers. */
export interface TooLong {
  /** The tokens of the context window that are left for the request. Absent: it does not say. */
  readonly window?: number;
  /** The tokens of the request, as the server counts them. Absent: it does not say. */
  readonly asked?: number;
}

const whole = z.int().min(256).max(100_000_000);

/** The most characters of a refusal that are looked at: a gateway may repeat the request. */
const longest = 4_000;

/** Names of codes and types, as in `context_length_exceeded` and `exceed_context_size_error`. */
const codes =
  /context_?(length|window|size)|string_above_max_length|request_too_large|max_prompt_tokens|prompt_too_long/i;

/** What there is too much of. */
const amount =
  /\b(context|prompts?|inputs?|request|messages?|conversation|tokens?|sequence|n_ctx|string)\b|输入|提示/i;
/** That it is too much. */
const excess =
  /too (long|large|big|many)|exceed|overflow|(longer|greater|larger|more) than|only supports up to|must (be|have) (<=|less|at most|no more)|(maximum|max) (supported )?(context|prompt|input|model|sequence) length|(context|prompt|input) (length|window|size) (is|of)|range of input length|cannot truncate|reduce (the |your )?(length|size|prompt|input|messages?)|超长|超过/i;
/** Words of limits for a time. */
const limitsOfTime = /rate limit|quota|too many requests|(concurren|per (minute|day|hour|second))/i;
/** Words of other limits: of images, of how many there are of something, of settings. */
const limitsOfThings =
  /too (large|long|many)[^.]{0,30}(image|tool)|(image|tools?|functions?|array|file|temperature|stop sequences?|metadata)\b[^.]{0,60}(too (long|large|many)|exceed|more than|greater than|less than)/i;
/** What a text that names those, too, speaks of when it means the whole request. */
const ofWhole = /context (length|window|size)|\bmessage tokens\b/i;
/** One field of a request that is not what was said, as in `Invalid 'tools[3].function.description': string too long`. */
const ofField = /^Invalid '(?!(messages|input)(\[\d+\]\.content|'))/;

/**
 * Returns what a server says of a request that is too long for its model; `undefined` if the refusal is of another
 * kind. No two servers have the same words, so that it goes by what they speak of: docs/models.md has a table.
 */
export function tooLong(
  error: Pick<ApiError, "status" | "code" | "type" | "error" | "message">,
): TooLong | undefined {
  const { status } = error;
  const words = withoutStatus(error.message).slice(0, longest);
  const numbers = { ...tokensIn(words), ...numbersIn(error.error) };
  if (status === 413 && !/per (minute|day)/i.test(words)) return numbers;
  const { asked = 0, window = Infinity } = numbers;
  // A limit per minute, or of what an account may pay for: no wait lets a request through that is longer than it.
  const overLimit = asked > window && /request too large|prompt tokens limit/i.test(words);
  if (status === 413 || status === 429 || status === 402) return overLimit ? numbers : undefined;
  if (status !== undefined && status !== 400 && status !== 422 && status < 500) return undefined;
  if (ofField.test(words)) return undefined;
  if (codes.test(error.code ?? "") || codes.test(error.type ?? "")) return numbers;
  // vLLM took what the prompt leaves of the window for the output, which was less than nothing.
  if (words.includes("max_tokens must be at least 1, got -")) return numbers;
  const spoken = words.replace(outputNames, "output");
  if (!amount.test(spoken) || !excess.test(spoken) || limitsOfTime.test(spoken)) return undefined;
  if (limitsOfThings.test(spoken) && !ofWhole.test(spoken)) return undefined;
  // The output's own limit, with no word of what was sent.
  const isOutput =
    /output|completion/i.test(spoken) && !/context|input|prompt|messages/i.test(spoken);
  return isOutput ? undefined : numbers;
}

/** MiniMax puts the code of its error in brackets at the end, as in `invalid params, context window exceeds limit (2013)`. */
const codeAtEnd = /^(invalid params\b[^]*)\(\d{4}\)$/;

/** Names of parameters that set the output's limit. */
const outputNames = /[`'"]?\bmax_(new_|completion_|output_)?tokens\b[`'"]?/gi;

// Bounded: 100 characters in front of a number.
const limitBefore =
  /(\bmax(imum)?(?![a-z])|\blimit(ed to|s)?\b|window|context (length|size)|n_ctx|allowed|up to|at most|cannot exceed|less than|no more than|range of input length|<=|>=?)[^.;]*$/i;
const limitAfter = /^\s*(tokens?\s*)?(is the |as )?(max|limit)/i;
const inputAfter =
  /^\)?\s*([`'"]?inputs?[`'"]?( tokens)?|prompt tokens?|(tokens )?(in|from) (the|your) (messages|prompt|input)|tokens long|(tokens )?of (\w+ )?input)/i;
const moreAfter = /^\)?( tokens)? (>=?|exceed(s|ed)?) \D{0,60}\d/;
const outputAfter =
  /^\)?\s*(([`'"]?output[`'"]?|completion)( tokens)?|(tokens )?(in|for|from) the (completion|output))/i;

/**
 * Returns the tokens of the window, and of the request, that a refusal of a too long request names. The request's own
 * size is never taken for the window's. Never throws.
 */
export function tokensIn(refusal: string): TooLong {
  const text = refusal.slice(0, longest).replace(codeAtEnd, "$1").replace(outputNames, "output");
  // They count characters or bytes.
  if (/\bcharacters?\b|\bbytes?\b|maxLength|a string with|\b[KMG]i?B\b/.test(text)) return {};
  // Bounded: the beginning of a message.
  const sum = /(\d[\d,]*) \+ (\d[\d,]*) > (\d[\d,]*)/.exec(text);
  if (sum) return told(size(sum[3]), size(sum[1]), size(sum[2]));
  let window: number | undefined;
  let input = 0;
  let first: number | undefined;
  let output: number | undefined;
  let from = 0;
  for (const match of text.matchAll(
    /(?<![\w.-])\d{1,3}(?:,\d{3})+(?![\w-])|(?<![\w.-])\d{3,9}(?![\w-])/g,
  )) {
    const before = text.slice(from, match.index).slice(-100);
    from = match.index + match[0].length;
    const after = text.slice(from, from + 60);
    const number = size(match[0]);
    // As in “exceeded by 300 tokens”.
    if (number === undefined || /\bby $/.test(before)) continue;
    if (outputAfter.test(after)) output ??= number;
    else if (inputAfter.test(after)) input += number;
    else if (moreAfter.test(after)) first ??= number;
    else if (limitAfter.test(after) || limitBefore.test(before)) window ??= number;
    else first ??= number;
  }
  return told(window, input === 0 ? first : input, output);
}

function told(window?: number, asked?: number, output?: number): TooLong {
  // What is reserved for the output leaves less of the window.
  const isShared = window !== undefined && asked !== undefined && asked <= window;
  const left = whole.safeParse(isShared ? window - (output ?? 0) : window);
  return {
    ...(left.success ? { window: left.data } : {}),
    ...(asked === undefined ? {} : { asked }),
  };
}

function size(digits: string | undefined): number | undefined {
  const read = whole.safeParse(Number(digits?.replaceAll(",", "")));
  return read.success ? read.data : undefined;
}

/** Returns the numbers that stand in the body itself, as in llama.cpp's. */
function numbersIn(body: unknown): TooLong {
  const window = whole.safeParse(fieldIn(body, "n_ctx"));
  const asked = whole.safeParse(fieldIn(body, "n_prompt_tokens"));
  return {
    ...(window.success ? { window: window.data } : {}),
    ...(asked.success ? { asked: asked.data } : {}),
  };
}
