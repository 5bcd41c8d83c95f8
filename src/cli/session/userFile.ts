import type * as z from "zod";
import { jsonFault } from "../../core/documents/jsonFault.js";
import { parseJson } from "../../core/documents/parseJson.js";
import { saidBy, UserError } from "../../core/errors.js";
import { type Said, type Words, words } from "../../core/text/words.js";
import { errorCode } from "../../node/files/fileError.js";
import { readRegularFile } from "../../node/files/regularFile.js";
import { WrongUse } from "../arguments/wrongUse.js";

/** Bytes. */
const largest = 5_000_000;

/**
 * Reads one of the user's own files, which hold JSON. Returns `undefined` if there is none.
 *
 * @param path the file's absolute path
 * @param page the page of the documentation that says what its form is
 * @param read returns the content, or what is wrong with it
 * @throws {WrongUse} if the file cannot be read or used: nothing that the user has set is left out in silence
 */
export async function readUserFile<Content>(
  path: string,
  page: string,
  read: (json: unknown) => { readonly content: Content } | { readonly problem: Said },
): Promise<Content | undefined> {
  let text: string;
  try {
    text = (await readRegularFile(path, largest, { follow: true })).toString();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new WrongUse(
      "userFileUnreadable",
      "{path} cannot be read ({cause}). Change its permissions.",
      {
        path,
        cause: error instanceof UserError ? saidBy(error) : (errorCode(error) ?? String(error)),
      },
    );
  }
  const json = parseJson(text);
  const result = json.ok
    ? read(json.value)
    : { problem: words("it is not JSON ({place})", { place: jsonFault(text) }) };
  if ("content" in result) return result.content;
  throw new WrongUse(
    "userFileInvalid",
    "{path} cannot be used: {problem}. See {page} for its form.",
    { path, problem: result.problem, page },
  );
}

/** Returns which place of a file is not valid. */
export function placeOf(issue: z.core.$ZodIssue | undefined): Words {
  const at = (issue?.path ?? []).map(String).join(".");
  const place = at === "" ? words("it") : at;
  if (issue?.code === "unrecognized_keys") {
    return words("{place} must not have {keys}", { place, keys: issue.keys.join(", ") });
  }
  return words("{place} is missing or not valid", { place });
}
