export type Json =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      /** The JSON parser's message, for models. People are told the place, by `jsonFault`. */
      readonly reason: string;
    };

/** Reads a text that is one JSON value (RFC 8259) and nothing else; never throws. */
export function parseJson(text: string): Json {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
