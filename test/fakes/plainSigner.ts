import type { Signer } from "../../src/core/ports/system.js";
import { SignatureChain } from "../../src/core/provenance/signatureChain.js";
import { signJson } from "../../src/core/provenance/signedJson.js";

/** Signs as an installation does, with a hash that is no secret. */
export class PlainSigner implements Signer {
  /** @param key another one stands for another installation */
  constructor(private readonly key = "test") {}

  sign(subject: string, content: string | Uint8Array): string {
    const text = typeof content === "string" ? content : new TextDecoder("latin1").decode(content);
    const all = `${this.key}\0${subject}\0${text}`;
    const parts = [0x811c9dc5, 0x01234567, 0x7654321].map((seed) => {
      let hash = seed;
      for (let index = 0; index < all.length; index++) {
        hash = Math.imul(hash ^ all.charCodeAt(index), 0x01000193);
      }
      return (hash >>> 0).toString(36).padStart(8, "0");
    });
    return parts.join("").slice(0, 22).padEnd(22, "0");
  }

  /** Returns a state file's text as this installation writes it. */
  file(path: string, value: object): string {
    return signJson(`${JSON.stringify(value, null, 2)}\n`, path, this);
  }

  /** Returns a log's text whose lines do not follow one another, as the conversation's. */
  lines(path: string, values: readonly object[]): string {
    return values.map((value) => `${signJson(JSON.stringify(value), path, this)}\n`).join("");
  }

  /** Returns a transcript's text: each line's signature covers the one before it. */
  chain(path: string, values: readonly object[]): string {
    const chain = new SignatureChain(path, this);
    return chain
      .sign(values.map((value) => JSON.stringify(value)))
      .map((line) => `${line}\n`)
      .join("");
  }
}
