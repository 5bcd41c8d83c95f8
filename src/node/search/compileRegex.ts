import { UserError } from "../../core/errors.js";

/** Compiles a regular expression. Throws a {@link UserError} if JavaScript cannot read it. */
export function compileRegex(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Without "u", needless escapes like \- are allowed.
  }
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `The regular expression cannot be read (${reason}). Escape special characters with a backslash.`,
    );
  }
}
