/**
 * The few web-platform globals that pure code may use. Timers, `process`, `document` and `console`
 * are left out on purpose: time comes through the `Clock` port, output through events.
 */
interface EventTargetLike {
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
interface AbortSignal extends EventTargetLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}
declare const AbortSignal: {
  any(signals: readonly AbortSignal[]): AbortSignal;
  abort(reason?: unknown): AbortSignal;
};
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: Uint8Array): string;
}
declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  readonly href: string;
  readonly protocol: string;
  readonly origin: string;
  readonly pathname: string;
  readonly hostname: string;
  readonly username: string;
  readonly password: string;
  hash: string;
}
declare const crypto: {
  readonly subtle: { digest(algorithm: "SHA-256", data: Uint8Array): Promise<ArrayBuffer> };
};

declare function atob(text: string): string;
declare function btoa(text: string): string;
