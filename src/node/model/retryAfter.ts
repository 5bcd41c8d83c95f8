/**
 * Returns the milliseconds that a refusal asks to wait: from `retry-after-ms`, from `Retry-After`
 * (seconds or a date, which is read by the server's own clock), or from its message. `undefined` if it
 * does not say.
 */
export function retryAfterMs(headers: Headers | undefined, words: string): number | undefined {
  const ms = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (ms >= 0) return ms;
  const given = headers?.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(given.trim())) return Number(given) * 1000;
  const until = Date.parse(given);
  if (!Number.isNaN(until)) {
    const now = Date.parse(headers?.get("date") ?? "");
    return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
  }
  const [, amount, unit] =
    /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) ?(ms|s)/i.exec(words) ?? [];
  return amount === undefined
    ? undefined
    : Number(amount) * (unit?.toLowerCase() === "ms" ? 1 : 1000);
}
