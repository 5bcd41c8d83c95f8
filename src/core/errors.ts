/**
 * An error whose message is written for the person who uses the product: it says what is wrong and
 * what to do. Everything else that is thrown is a bug or an adapter's I/O failure.
 */
export class UserError extends Error {
  override readonly name: string = "UserError";
}

/**
 * A failed file operation. `code` is the system's error code (`EACCES`, `ENOSPC`, …), or `EHIDDEN` for a
 * path that is hidden from experts.
 */
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
  /** The model does not support tool calling. */
  "toolsUnsupported",
  "badRequest",
  "server",
  /** The stream broke, or the response cannot be parsed. */
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
  /** Whether the error is transient, so that the same request may succeed in a moment. */
  readonly passing: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** The context window's size in tokens, for `contextTooLong` errors where the server names it. */
  readonly contextTokens: number | undefined;

  /** @param more `passing` overrides the value that follows from the code */
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
