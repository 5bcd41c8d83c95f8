import * as z from "zod";
import { readOwnDocument } from "../access/namedFile.js";
import { parseJson } from "../documents/parseJson.js";
import { UserError } from "../errors.js";
import type { LongWork } from "../ids.js";
import type { FileSystem } from "../ports/files.js";
import type { Signer } from "../ports/system.js";
import { isSigned, signJson } from "../provenance/signedJson.js";

const record = z.record(z.string(), z.string());

/** A job or a run, whose documents can have come with the folder. */
export interface Takeable {
  readonly kind: LongWork["kind"];
  /** Where its documents are, relative to the workspace. */
  readonly place: string;
  /** The path of the record that a person has taken it over. Two may share one; then the record is about one of them. */
  readonly recordPath: string;
}

export interface TakenOverServices {
  readonly files: FileSystem;
  readonly signer: Signer;
}

/**
 * Notes that a person has taken it over: by naming it to run it, or by creating it here. Until then it is a proposal: nothing of
 * it runs by itself. What its documents say later counts, too, as the person edits them while the work goes on.
 */
export async function takeOver(one: Takeable, services: TakenOverServices): Promise<void> {
  if (await isTakenOver(one, services)) return;
  const { kind, place, recordPath } = one;
  const text = `${JSON.stringify({ [kind]: place }, undefined, 2)}\n`;
  await services.files.replaceFile(recordPath, signJson(text, recordPath, services.signer));
}

/** Returns whether a person has taken it over here. */
export async function isTakenOver(
  { kind, place, recordPath }: Takeable,
  { files, signer }: TakenOverServices,
): Promise<boolean> {
  try {
    const bytes = await readOwnDocument(recordPath, files, 10_000);
    const text = new TextDecoder().decode(bytes);
    if (!isSigned(text, recordPath, signer)) return false;
    const json = parseJson(text);
    const read = json.ok ? record.safeParse(json.value).data : undefined;
    return read?.[kind] === place;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  }
}
