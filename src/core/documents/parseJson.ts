export type Json =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      /** The JSON parser's message. */
      readonly reason: string;
      /** The offset in the text at which it is not JSON; absent if that is not known. */
      readonly offset?: number;
    };

/** Reads a text that is one JSON value (RFC 8259) and nothing else; never throws. */
export function parseJson(text: string): Json {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // The engine names the place only in its message, and not for a text that ends too early.
    const [, position] = /at position (\d+)/.exec(reason) ?? [];
    return { ok: false, reason, ...(position === undefined ? {} : { offset: Number(position) }) };
  }
}
