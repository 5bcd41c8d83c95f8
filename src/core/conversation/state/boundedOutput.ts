/** Characters of a tool's output that an item holds. */
const outputLimit = 2_000;

/** Characters of a diff that an item holds; an approval's preview is never cut. */
const diffLimit = 40_000;

export interface BoundedOutput {
  readonly output: string;
  /** Number of characters of the whole output that `output` lacks. */
  readonly omitted: number;
}

/** Adds to a running tool's output and keeps its end. */
export function appendOutput(before: BoundedOutput, text: string): BoundedOutput {
  const whole = before.output + text;
  const dropped = Math.max(0, whole.length - outputLimit);
  return { output: whole.slice(dropped), omitted: before.omitted + dropped };
}

/** Returns the beginning and end of a finished output, with the number of omitted characters between them. */
export function previewOutput(whole: string): BoundedOutput {
  if (whole.length <= outputLimit) return { output: whole, omitted: 0 };
  const half = outputLimit / 2;
  const omitted = whole.length - outputLimit;
  return {
    output: `${whole.slice(0, half)}\n… ${omitted} characters left out …\n${whole.slice(-half)}`,
    omitted,
  };
}

/** Returns the beginning of a long diff, ended by a line that is neither added, removed nor context. */
export function previewDiff(whole: string): string {
  if (whole.length <= diffLimit) return whole;
  const cut = whole.lastIndexOf("\n", diffLimit);
  const kept = whole.slice(0, cut > 0 ? cut : diffLimit);
  return `${kept}\n\\ ${whole.length - kept.length} characters left out`;
}
