/**
 * An error whose message is written for the person who uses the product: it says what is wrong and
 * what to do. Everything else that is thrown is a bug or an adapter's I/O failure.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";
}

/** A file operation failed; `code` is the system's (`EACCES`, `ENOSPC`, …). */
export class FileError extends UserError {
  override readonly name = "FileError";
  constructor(
    readonly code: string,
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

export type ModelErrorCode =
  /** No model, address or key is set. */
  | "unconfigured"
  | "unauthorised"
  | "notFound"
  | "rateLimited"
  | "unreachable"
  | "contextTooLong"
  /** The model cannot be given tools to call. */
  | "toolsUnsupported"
  | "badRequest"
  | "server"
  /** The stream broke, or what came cannot be read. */
  | "brokenResponse";

export class ModelError extends UserError {
  override readonly name = "ModelError";
  constructor(
    readonly code: ModelErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
