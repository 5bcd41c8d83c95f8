import type { Signer } from "../ports/system.js";

const signature = /,\s*"signature":\s*"([\w-]{22})"\s*\}\s*$/;

/**
 * Adds a signature, as the last member, to the text of a JSON object.
 *
 * @param json an object with at least one member, on one line or indented by two spaces
 * @param subject what the text is, for example its file's path; the signature is not valid for another
 *   subject
 */
export function signJson(json: string, subject: string, signer: Signer): string {
  const end = json.lastIndexOf("}");
  const body = json.slice(0, end).trimEnd();
  const rest = json.slice(body.length);
  const space = rest.startsWith("\n") ? ["\n  ", " "] : ["", ""];
  const value = signer.sign(subject, body);
  return `${body},${space[0] ?? ""}"signature":${space[1] ?? ""}"${value}"${rest}`;
}

/** Returns the signature of a text that {@link signJson} made; `undefined` for any other text. */
export function signatureOf(text: string): string | undefined {
  return signature.exec(text)?.[1];
}

/** Returns whether this installation has signed the text for this subject. */
export function isSigned(text: string, subject: string, signer: Signer): boolean {
  const found = signature.exec(text);
  return found !== null && signer.sign(subject, text.slice(0, found.index)) === found[1];
}

/** Returns the text without its signature, whoever made it. */
export function withoutSignature(text: string): string {
  const found = signature.exec(text);
  if (found === null) return text;
  const end = text.slice(found.index).replace(/^,\s*"signature":\s*"[\w-]{22}"/, "");
  return text.slice(0, found.index) + end;
}
