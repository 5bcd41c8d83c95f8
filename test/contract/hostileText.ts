import fc from "fast-check";

const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** What no file of ours should hold, and some day does. */
const pieces = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom("\n", "\r\n", "\uFEFF", "\0", "\\n", "{", "}", '"', "[", "null", "\u2028"),
  fc.constantFrom(nested(5_000), `{"a":`.repeat(2_000), `"${"x".repeat(20_000)}"`),
  // A lone surrogate cannot be encoded; its WTF-8 bytes can be in a file.
  fc.constant(Uint8Array.of(0xed, 0xa0, 0x80)),
);

/**
 * Bytes of a file: hostile pieces mixed with good ones, sometimes cut off.
 *
 * @param good lines and parts that the file's reader understands
 */
export function hostileBytes(...good: string[]): fc.Arbitrary<Uint8Array> {
  const piece = good.length === 0 ? pieces : fc.oneof(pieces, fc.constantFrom(...good));
  return fc
    .tuple(fc.array(piece, { maxLength: 8 }), fc.option(fc.nat({ max: 200 }), { freq: 4 }))
    .map(([parts, cut]) => {
      const bytes = Buffer.concat(
        parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)),
      );
      return new Uint8Array(cut === null ? bytes : bytes.subarray(0, bytes.length - cut));
    });
}
