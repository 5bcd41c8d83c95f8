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

export const modelErrorCodes = [
  /** No model, address or key is set. */
  "unconfigured",
  "unauthorised",
  "notFound",
  "rateLimited",
  "unreachable",
  "contextTooLong",
  /** The model cannot be given tools to call. */
  "toolsUnsupported",
  "badRequest",
  "server",
  /** The stream broke, or what came cannot be read. */
  "brokenResponse",
] as const;
export type ModelErrorCode = (typeof modelErrorCodes)[number];

const passingCodes: ReadonlySet<ModelErrorCode> = new Set([
  "rateLimited",
  "unreachable",
  "server",
  "brokenResponse",
]);

export class ModelError extends UserError {
  override readonly name = "ModelError";
  /** The same request may well be answered in a moment. */
  readonly passing: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** Of `contextTooLong`: the window's size, where the server names it. */
  readonly contextTokens: number | undefined;

  /** @param more `passing`: where the code alone would say otherwise */
  constructor(
    readonly code: ModelErrorCode,
    message: string,
    more: {
      readonly passing?: boolean;
      readonly retryAfterMs?: number | undefined;
      readonly contextTokens?: number | undefined;
    } = {},
  ) {
    super(message);
    this.passing = more.passing ?? passingCodes.has(code);
    this.retryAfterMs = more.retryAfterMs;
    this.contextTokens = more.contextTokens;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
