import { type ApiError, fieldIn } from "./apiError.js";

/** What a refusal says of the limit that is used up. */
export interface RateLimit {
  /** Milliseconds until requests are taken again. Absent: it does not say. */
  readonly retryAfterMs?: number;
  /** Whether the limit is one for the day, so that trying again in a moment is of no use. */
  readonly isForDay: boolean;
}

/**
 * Reads when a server that refuses a request takes one again: from its headers, its body, or its words. Dates are read
 * by the server's own clock. docs/models.md has a table of who says it where.
 */
export function rateLimitOf(
  refused: Pick<ApiError, "status" | "headers" | "error" | "message">,
): RateLimit {
  const { status, headers, message, error } = refused;
  const now = serverTime(headers);
  const isLimit = status === 429;
  const body = isLimit ? textOf(error) : "";
  // Gemini names the next minute's reset also for a quota of the day, which is reset at midnight in California.
  if (isLimit && /"quotaId":"[^"]*PerDay/.test(body)) {
    return { retryAfterMs: untilMidnight(now, "America/Los_Angeles"), isForDay: true };
  }
  const asked =
    retryAfterMs(headers, now) ??
    waitIn(message) ??
    delayIn(error) ??
    (isLimit ? (resetInBody(error, now) ?? resetInHeaders(headers, now)) : undefined);
  const isForDay = isLimit && ofDay.test(`${message}\n${body}`);
  return { ...(asked === undefined ? {} : { retryAfterMs: asked }), isForDay };
}

/** Words for a limit of a day, as in `free-models-per-day`, `(TPD)`, `UserByModelByDay`, `daily free allocation`. */
const ofDay = /per[- _]?day\b|\bdaily\b|\((rpd|tpd)\)|ByDay\b|per 86,?400 ?s/i;

/** The most characters of a body that are searched: a gateway may repeat the request. */
const longest = 8_000;

function textOf(body: unknown): string {
  return JSON.stringify(body ?? null).slice(0, longest);
}

function serverTime(headers: Headers | undefined): number {
  const said = Date.parse(headers?.get("date") ?? "");
  return Number.isNaN(said) ? Date.now() : said;
}

function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const ms = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (ms >= 0) return ms;
  const given = (headers?.get("retry-after") ?? "").trim();
  if (/^\d+(\.\d+)?$/.test(given)) return Number(given) * 1_000;
  const until = Date.parse(given);
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}

/** Returns the delay of a `google.rpc.RetryInfo`, as in `37s`. */
function delayIn(body: unknown): number | undefined {
  const delay = fieldIn(body, "retryDelay");
  return typeof delay === "string" ? durationMs(delay) : undefined;
}

function waitIn(words: string): number | undefined {
  const [, wait = ""] =
    /(?:(?:try again|retry) (?:in|after)|please wait|resets? in) (\d[\d.]* ?[a-z]+(?: ?\d[\d.]* ?[a-z]+)*)/i.exec(
      words.slice(0, longest),
    ) ?? [];
  return durationMs(wait);
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a duration as servers write it: `1.5s`, `9m38.016s`, `2 hours`; `undefined` for anything else. */
function durationMs(text: string): number | undefined {
  let sum: number | undefined;
  for (const [, amount, unit = ""] of text.matchAll(/(?<!\d)(\d+(?:\.\d+)?) ?(ms|[smhd])/gi)) {
    sum = (sum ?? 0) + Number(amount) * (unitMs[unit.toLowerCase()] ?? 0);
  }
  return sum;
}

/** A number from here on is a time in seconds since the epoch, and not a duration; and from there on in milliseconds. */
const firstSeconds = 1_000_000_000;
const firstMilliseconds = 100_000_000_000;

/** Returns the milliseconds until a time, or of a duration, as a header names it: `6m0s`, `11.38`, a date, an epoch. */
function untilReset(given: string, now: number): number | undefined {
  const text = given.trim();
  if (/^\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number < firstSeconds) return number * 1_000;
    return Math.max(0, (number < firstMilliseconds ? number * 1_000 : number) - now);
  }
  if (/^(\d+(\.\d+)?(ms|[smhd]))+$/i.test(text)) return durationMs(text);
  const until = /^\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-]\d\d:?\d\d)$/i.test(text)
    ? Date.parse(text)
    : NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}

/** Returns the milliseconds until the reset that the body names, as OpenRouter and OpenAI's subscriptions do. */
function resetInBody(body: unknown, now: number): number | undefined {
  for (const name of ["X-RateLimit-Reset", "resets_in_seconds", "resets_at", "reset_at"]) {
    const given = fieldIn(body, name);
    if (typeof given !== "string" && typeof given !== "number") continue;
    const ms = untilReset(String(given), now);
    if (ms !== undefined) return ms;
  }
  return undefined;
}

/**
 * Returns the milliseconds until the reset of the limit that is used up, where the headers have several: those of OpenAI,
 * Groq, Cerebras, Together and Anthropic, which name a limit, what remains of it, and its reset.
 */
function resetInHeaders(headers: Headers | undefined, now: number): number | undefined {
  let used: { readonly left: number; readonly ms: number } | undefined;
  for (const [name, value] of headers ?? []) {
    if (!/ratelimit/i.test(name) || !name.includes("reset")) continue;
    const ms = untilReset(value, now);
    if (ms === undefined) continue;
    const of = (word: string) => Number(headers?.get(name.replace("reset", word)) ?? Number.NaN);
    const share = of("remaining") / of("limit");
    // Where it is not said how much is left, nothing speaks against this limit.
    const left = Number.isNaN(share) ? of("remaining") || 0 : share;
    const isMore = used === undefined || left < used.left || (left === used.left && ms > used.ms);
    if (isMore) used = { left, ms };
  }
  return used?.ms;
}

const dayMs = 86_400_000;

/** Returns the milliseconds until the next midnight in a time zone. */
function untilMidnight(now: number, timeZone: string): number {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const since = (time: number): number => {
    const [hours = 0, minutes = 0, seconds = 0] = clock.format(time).split(":").map(Number);
    return ((hours * 60 + minutes) * 60 + seconds) * 1_000 + (time % 1_000);
  };
  const guess = now + dayMs - since(now);
  // A day on which the clocks change is an hour shorter or longer.
  const off = since(guess);
  return guess - (off > dayMs / 2 ? off - dayMs : off) - now;
}
