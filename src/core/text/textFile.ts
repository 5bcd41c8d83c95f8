import { decodeLossless, encodeLossless } from "./losslessText.js";

/**
 * The encoding of a text. `unknown` is none of the others; see `decodeLossless` for what its text
 * is like.
 */
export type TextEncoding = "utf-8" | "utf-8 with BOM" | "utf-16le" | "utf-16be" | "unknown";

export interface TextFile {
  /** The text without the byte order mark. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

const marks: readonly (readonly [TextEncoding, readonly number[]])[] = [
  ["utf-8 with BOM", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Decodes text so that {@link encodeText} makes the same bytes of it again; `undefined` for a
 * binary file.
 */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  for (const [encoding, mark] of marks) {
    if (!mark.every((byte, index) => bytes[index] === byte)) continue;
    const text = decoded(bytes.subarray(mark.length), encoding);
    if (text !== undefined) return { text, encoding };
  }
  // Git's rule: a NUL near the beginning.
  if (bytes.subarray(0, 8000).includes(0)) return undefined;
  const text = decoded(bytes, "utf-8");
  if (text !== undefined) return { text, encoding: "utf-8" };
  return { text: decodeLossless(bytes), encoding: "unknown" };
}

export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  switch (encoding) {
    case "utf-8":
      return new TextEncoder().encode(text);
    case "utf-8 with BOM":
      return new TextEncoder().encode(text.startsWith("\uFEFF") ? text : `\uFEFF${text}`);
    case "utf-16le":
    case "utf-16be":
      return encodeUtf16(text.startsWith("\uFEFF") ? text : `\uFEFF${text}`, encoding);
    case "unknown":
      return encodeLossless(text);
  }
}

function decoded(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  const label = encoding.startsWith("utf-16") ? encoding : "utf-8";
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function encodeUtf16(text: string, encoding: "utf-16le" | "utf-16be"): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const high = encoding === "utf-16le" ? 1 : 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    bytes[2 * i + high] = unit >> 8;
    bytes[2 * i + 1 - high] = unit & 0xff;
  }
  return bytes;
}

/** Returns a size for people, as in `12 kB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
