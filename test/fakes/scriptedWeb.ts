import { UserError } from "../../src/core/errors.js";
import type { Web, WebAnswer } from "../../src/core/ports/web.js";

/** Answers with a text for each address, and keeps what it was asked. */
export class ScriptedWeb implements Web {
  readonly asked: string[] = [];

  constructor(private readonly pages: Readonly<Record<string, string | Partial<WebAnswer>>> = {}) {}

  get(address: string, signal: AbortSignal): Promise<WebAnswer> {
    signal.throwIfAborted();
    this.asked.push(address);
    const page = this.pages[address];
    if (page === undefined)
      return Promise.reject(
        new UserError("connectionRefused", "Nothing answers at {address}.", { address }),
      );
    return Promise.resolve({
      address,
      status: 200,
      contentType: "text/html",
      text: "",
      truncated: false,
      ...(typeof page === "string" ? { text: page } : page),
    });
  }
}
