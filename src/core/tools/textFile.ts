const bom = "\uFEFF";

export interface TextFile {
  /** Without the byte order mark. */
  readonly text: string;
  readonly bom: boolean;
  /** Whether encoding the text again gives the same bytes. */
  readonly faithful: boolean;
}

/** `undefined` for a binary file. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  if (isBinary(bytes)) return undefined;
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = marked ? bytes.subarray(3) : bytes;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return { text, bom: marked, faithful: true };
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
    return { text, bom: marked, faithful: false };
  }
}

export function encodeText(text: string, withBom: boolean): Uint8Array {
  return new TextEncoder().encode(withBom && !text.startsWith(bom) ? bom + text : text);
}

/** Git's rule: a NUL near the beginning. UTF-16 counts as binary, as it does there. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** As in `12 kB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
