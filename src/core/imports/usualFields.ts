import { recordOf } from "../documents/recordOf.js";

/**
 * Returns an entry of a list of MCP servers with the field names that most clients have: Windsurf calls the address
 * `serverUrl`, Gemini CLI `httpUrl`. A field that is `null` is left out, as some programs write those that are not set.
 * An entry that is no object is returned as it is.
 */
export function usualFields(entry: unknown): unknown {
  const given = recordOf(entry);
  if (given === undefined) return entry;
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const { serverUrl, httpUrl, ...fields } = set;
  const url = fields["url"] ?? httpUrl ?? serverUrl;
  return url === undefined ? fields : { ...fields, url };
}
