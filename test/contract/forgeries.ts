import type { Signer } from "../../src/core/ports/system.js";
import { SignatureChain } from "../../src/core/provenance/signatureChain.js";
import { signatureOf, signJson } from "../../src/core/provenance/signedJson.js";
import type { Signers } from "./hostileWorkspace.js";

/** A file of state, and what somebody would like it to say. */
export interface Wanted {
  readonly path: string;
  /** What this installation wrote there; one object for a file that is one. */
  readonly harmless: readonly object[];
  readonly hostile: readonly object[];
}

/** Makes the text of a file that is to pass for this installation's. */
export type Forgery = (wanted: Wanted, signers: Signers) => string;

const noSignature = "A".repeat(22);

/** Files that are one object. */
export const forgedFiles: Readonly<Record<string, Forgery>> = {
  "without a signature": ({ hostile }) => file(hostile),
  "signed by another installation": ({ path, hostile }, { elsewhere }) =>
    signJson(file(hostile), path, elsewhere),
  "signed for a copy of the folder": ({ path, hostile }, { copy }) =>
    signJson(file(hostile), path, copy),
  "with a signature of another file": ({ path, hostile }, { own }) =>
    signJson(file(hostile), `${path}-2`, own),
  "with the signature of what stood there": ({ path, harmless, hostile }, { own }) =>
    signedWith(file(hostile), signatureOf(signJson(file(harmless), path, own)) ?? ""),
  "with a signature that is none": ({ hostile }) => signedWith(file(hostile), noSignature),
  "behind what stood there, in the same object": ({ path, harmless, hostile }, { own }) => {
    const whole = signJson(file(harmless), path, own);
    const more = JSON.stringify(hostile[0]).slice(1, -1);
    const body = `${whole.trimEnd().slice(0, -1).trimEnd()},${more}}\n`;
    return signedWith(body, signatureOf(whole) ?? "");
  },
  "around what stood there": ({ path, harmless, hostile }, { own }) => {
    const inner: unknown = JSON.parse(signJson(file(harmless), path, own));
    return `${JSON.stringify({ ...hostile[0], inner })}\n`;
  },
};

/** Logs whose lines stand each for itself. */
export const forgedLines: Readonly<Record<string, Forgery>> = {
  "without signatures": ({ hostile }) => lines(hostile),
  "signed by another installation": ({ path, hostile }, { elsewhere }) =>
    lines(hostile, (line) => signJson(line, path, elsewhere)),
  "signed for a copy of the folder": ({ path, hostile }, { copy }) =>
    lines(hostile, (line) => signJson(line, path, copy)),
  "with signatures of another file": ({ path, hostile }, { own }) =>
    lines(hostile, (line) => signJson(line, `${path}-2`, own)),
  "with a signature of another line": ({ path, harmless, hostile }, { own }) => {
    const first = signJson(JSON.stringify(harmless[0]), path, own);
    return `${first}\n${lines(hostile, (line) => signedWith(line, signatureOf(first) ?? ""))}`;
  },
  "with signatures that are none": ({ hostile }) =>
    lines(hostile, (line) => signedWith(line, noSignature)),
  "behind what was said here": ({ path, harmless, hostile }, { own }) =>
    lines(harmless, (line) => signJson(line, path, own)) + lines(hostile),
};

/** Logs in which each line follows the one before it. */
export const forgedChains: Readonly<Record<string, Forgery>> = {
  "without signatures": ({ hostile }) => lines(hostile),
  "signed by another installation": ({ path, hostile }, { elsewhere }) =>
    chain(path, hostile, elsewhere),
  "signed for a copy of the folder": ({ path, hostile }, { copy }) => chain(path, hostile, copy),
  "with signatures of another file": ({ path, hostile }, { own }) =>
    chain(`${path}-2`, hostile, own),
  "each line signed by itself": ({ path, hostile }, { own }) =>
    lines(hostile, (line) => signJson(line, path, own)),
  "with signatures of other lines": ({ path, harmless, hostile }, { own }) => {
    const signatures = chain(path, harmless, own).split("\n").map(signatureOf);
    return lines(hostile, (line, index) => signedWith(line, signatures[index] ?? noSignature));
  },
  "with one line more, without a signature": ({ path, harmless, hostile }, { own }) =>
    chain(path, harmless, own) + lines(hostile.slice(-1)),
  "with one line more, that has the last signature": ({ path, harmless, hostile }, { own }) => {
    const real = chain(path, harmless, own);
    const last = signatureOf(real.trimEnd().split("\n").at(-1) ?? "") ?? "";
    return real + lines(hostile.slice(-1), (line) => signedWith(line, last));
  },
  "with one line more, by another installation": ({ path, harmless, hostile }, signers) => {
    const real = chain(path, harmless, signers.own);
    const last = signatureOf(real.trimEnd().split("\n").at(-1) ?? "") ?? "";
    const subject = `${path}\n${last}`;
    return real + lines(hostile.slice(-1), (line) => signJson(line, subject, signers.elsewhere));
  },
  "with a beginning of its own": ({ path, harmless, hostile }, { own }) =>
    lines(hostile) + chain(path, harmless, own),
  "with a word changed in a line": ({ path, hostile }, { own }) =>
    chain(path, hostile, own).replace("let me", "let us"),
  "with a line taken out": ({ path, hostile }, { own }) =>
    chain(path, hostile, own)
      .split("\n")
      .filter((_, index) => index !== 1)
      .join("\n"),
  "with lines exchanged": ({ path, hostile }, { own }) => {
    const [first = "", second = "", ...rest] = chain(path, hostile, own).split("\n");
    return [second, first, ...rest].join("\n");
  },
};

/** Returns what {@link forgedFiles} are about, as this installation signs it. */
export function ownFile({ path, hostile }: Wanted, { own }: Signers): string {
  return signJson(file(hostile), path, own);
}

/** Returns what {@link forgedLines} are about, as this installation signs it. */
export function ownLines({ path, hostile }: Wanted, { own }: Signers): string {
  return lines(hostile, (line) => signJson(line, path, own));
}

/** Returns what {@link forgedChains} are about, as this installation signs it. */
export function ownChain({ path, hostile }: Wanted, { own }: Signers): string {
  return chain(path, hostile, own);
}

export function chain(path: string, values: readonly object[], signer: Signer): string {
  const signed = new SignatureChain(path, signer).sign(values.map((one) => JSON.stringify(one)));
  return signed.map((line) => `${line}\n`).join("");
}

function file([value]: readonly object[]): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function lines(
  values: readonly object[],
  sign: (line: string, index: number) => string = (line) => line,
): string {
  return values.map((value, index) => `${sign(JSON.stringify(value), index)}\n`).join("");
}

function signedWith(text: string, signature: string): string {
  return text.replace(/\s*\}\s*$/, `,"signature":"${signature}"}\n`).trimEnd();
}
