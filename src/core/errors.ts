import { type ParamsAfter, type ParamsOf, type Said, spoken, type Words } from "./text/words.js";

/**
 * An error whose message is written for the person who uses the product: it says what is wrong and what to
 * do. Everything else that is thrown is a bug or an adapter's I/O failure. The words stand where the error is
 * thrown; the template is the key to their translation, as for `vscode.l10n.t`.
 */
export class UserError<const Template extends string = string> extends Error implements Words {
  override readonly name: string = "UserError";
  readonly code: string;
  /** The English sentence; `{name}` stands for the parameter of that name. */
  readonly template: string;
  params: Words["params"];

  /** @param code the kind of error; each belongs to one template */
  constructor(code: string, template: Template, ...given: ParamsAfter<Template>) {
    const [params = {}]: readonly (Words["params"] | undefined)[] = given;
    super(spoken({ template, params }));
    this.code = code;
    this.template = template;
    this.params = params;
  }
}

/** Does the same as `instanceof`, which would leave the class's type parameter as `any`. */
export function isUserError(error: unknown): error is UserError {
  return error instanceof UserError;
}

/**
 * A failed file operation. `code` is the system's error code (`EACCES`, `ENOSPC`, …), or `EHIDDEN` for a
 * path that is hidden from experts.
 */
export class FileError<const Template extends string = string> extends UserError<Template> {
  override readonly name = "FileError";

  constructor(
    code: string,
    readonly path: string,
    template: Template,
    ...params: ParamsAfter<Template>
  ) {
    super(code, template, ...params);
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

export class ModelError<const Template extends string = string> extends UserError<Template> {
  override readonly name = "ModelError";
  declare readonly code: ModelErrorCode;
  /** Whether the error is transient, so that the same request may succeed in a moment. */
  readonly passing: boolean;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** Whether a limit for the day is used up, so that trying again in a moment is of no use. */
  readonly isForDay: boolean;
  /** The context window's size in tokens, for `contextTooLong` errors where the server names it. */
  readonly contextTokens: number | undefined;
  /** The request's size in tokens as the server counts it, for `contextTooLong` errors where it names it. */
  readonly requestTokens: number | undefined;

  /** @param more `passing` overrides the value that follows from the code */
  constructor(
    code: ModelErrorCode,
    template: Template,
    params: ParamsOf<Template>,
    more: {
      readonly passing?: boolean;
      readonly retryAfterMs?: number | undefined;
      readonly isForDay?: boolean;
      readonly contextTokens?: number | undefined;
      readonly requestTokens?: number | undefined;
    } = {},
  ) {
    super(code, template, ...([params] as unknown as ParamsAfter<Template>));
    this.passing = more.passing ?? passingCodes.has(code);
    this.retryAfterMs = more.retryAfterMs;
    this.isForDay = more.isForDay ?? false;
    this.contextTokens = more.contextTokens;
    this.requestTokens = more.requestTokens;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns what an error says to a person: its words, or the message of one that is not written for people. */
export function saidBy(error: unknown): Said {
  return isUserError(error) ? { template: error.template, params: error.params } : messageOf(error);
}
