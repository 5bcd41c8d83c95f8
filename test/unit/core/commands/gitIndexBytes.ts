interface IndexOptions {
  /** Of the format: 2, 3 or 4. */
  readonly version?: number;
  /** The name of an extension behind the entries. */
  readonly extension?: string;
}

/** Returns the bytes of an index of git's with these entries, with a hash of zeros. */
export function gitIndex(
  entries: readonly (readonly [path: string, mode: number])[],
  { version = 2, extension }: IndexOptions = {},
): Uint8Array {
  const head = Buffer.alloc(12);
  head.write("DIRC", 0, "latin1");
  head.writeUInt32BE(version, 4);
  head.writeUInt32BE(entries.length, 8);
  const parts: Buffer[] = [head];
  let before = "";
  for (const [path, mode] of entries) {
    const fixed = Buffer.alloc(62);
    fixed.writeUInt32BE(mode, 24);
    fixed.writeUInt16BE(path.length, 60);
    if (version === 4) {
      let same = 0;
      while (same < before.length && path[same] === before[same]) same++;
      parts.push(fixed, Buffer.from([before.length - same]), Buffer.from(`${path.slice(same)}\0`));
      before = path;
      continue;
    }
    const zeros = 8 - ((62 + path.length) % 8);
    parts.push(fixed, Buffer.from(path), Buffer.alloc(zeros));
  }
  if (extension !== undefined) {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(4);
    parts.push(Buffer.from(extension), size, Buffer.alloc(4));
  }
  return Buffer.concat([...parts, Buffer.alloc(20)]);
}
