import { UserError } from "../errors.js";
import { type Change, withChanges } from "./textLines.js";

/** Thrown for an edit that is legal, but that cannot be made in the document's present form. */
export class CannotEdit<const Template extends string = string> extends UserError<Template> {}

/** Reads back and checks an edited document. */
interface Expectation<Document> {
  /** Parses a whole text as a document of the same kind. */
  readonly read: (text: string) => Document;
  /** Whether the document that was read back says what the edit was to make of it, and nothing else. */
  readonly isExpected: (after: Document) => boolean;
  /** Returns the error that is thrown where the edit cannot be made. */
  readonly refusal: () => CannotEdit;
}

/**
 * Edits a document: makes the changes in its text, reads the whole result, and compares it with what was to
 * come of it. A document is a tree whose nodes know their rows and columns, and an edit replaces spans of the
 * text, so that every byte outside the spans is kept. All documents that people and code both write are
 * edited by this function.
 *
 * @returns the document that was read back
 * @throws {CannotEdit} if the result does not read as expected
 */
export function editDocument<Document>(
  text: string,
  changes: readonly Change[],
  { read, isExpected, refusal }: Expectation<Document>,
): Document {
  const after = read(withChanges(text, changes));
  if (!isExpected(after)) throw refusal();
  return after;
}
