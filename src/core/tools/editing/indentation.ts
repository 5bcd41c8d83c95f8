/** Changes the indentation of a line that is to stand among the file's own. */
type Bend = (line: string) => string;

/**
 * Returns how to turn the indentation that a model wrote into that of the file's lines: all have
 * the same more or less, or other units (tabs for spaces, four spaces for two). Returns `undefined`
 * when the lines do not differ in one way throughout, or when that says too little about the lines
 * that are added.
 *
 * @param unit the indentation of one level in this file
 */
export function bendIndentation(
  written: readonly string[],
  actual: readonly string[],
  added: readonly string[],
  unit: string,
): Bend | undefined {
  const pairs = written.flatMap((line, index) =>
    line.trim() === "" ? [] : [[indentOf(line), indentOf(actual[index] ?? "")] as const],
  );
  const shift = shiftOf(pairs);
  const scale = scaleOf(pairs, added, unit);
  if (!shift || !scale) return shift ?? scale;
  const shifted = added.map(shift);
  if (shifted.join("\n") === added.map(scale).join("\n")) return shift;
  // A shift that mixes tabs and spaces in one indentation is wrong. Otherwise either may be meant.
  return shifted.map(indentOf).some(isMixed) ? scale : undefined;
}

type Pair = readonly [from: string, to: string];

/**
 * Indents a line as far from another one in the file as it is written; `undefined` if the file's
 * line has too little indentation for that.
 *
 * @param from the other line as it is written
 * @param to the other line as the file has it
 */
export function indentLike(line: string, from: string, to: string): string | undefined {
  const [own, written, actual] = [indentOf(line), indentOf(from), indentOf(to)];
  const text = line.slice(own.length);
  if (own.startsWith(written)) return actual + own.slice(written.length) + text;
  const less = written.slice(own.length);
  if (!written.startsWith(own) || !actual.endsWith(less)) return undefined;
  return actual.slice(0, actual.length - less.length) + text;
}

function shiftOf(pairs: readonly Pair[]): Bend | undefined {
  let added: string | undefined;
  let removed: string | undefined;
  for (const [from, to] of pairs) {
    if (!to.endsWith(from) && !from.endsWith(to)) return undefined;
    const more = to.slice(0, Math.max(0, to.length - from.length));
    const less = from.slice(0, Math.max(0, from.length - to.length));
    added ??= more;
    removed ??= less;
    if (more !== added || less !== removed) return undefined;
  }
  const [more, less] = [added ?? "", removed ?? ""];
  return (line) => {
    if (line.trim() === "") return line;
    if (less === "") return more + line;
    return line.startsWith(less) ? line.slice(less.length) : line.trimStart();
  };
}

/** Turns levels of one unit into levels of another, plus or minus a constant number of characters. */
function scaleOf(pairs: readonly Pair[], added: readonly string[], unit: string): Bend | undefined {
  const filled = added.filter((line) => line.trim() !== "").map(indentOf);
  const froms = [...pairs.map(([from]) => from), ...filled];
  const tos = pairs.map(([, to]) => to);
  if ([...froms, ...tos].some(isMixed)) return undefined;
  if (new Set([...froms, ""].map((one) => one[0])).size > 2) return undefined;
  const to = tos.find((one) => one !== "")?.[0] ?? unit[0] ?? " ";
  if (tos.some((one) => one !== "" && !one.startsWith(to))) return undefined;

  const step = froms.map((one) => one.length).reduce(divisor, 0);
  const levels = pairs.map(([from, one]) => [step === 0 ? 0 : from.length / step, one.length]);
  const [first = [0, 0], ...others] = levels;
  const other = others.find(([level]) => level !== first[0]);
  const [level = 0, length = 0] = first;
  const perLevel = other
    ? ((other[1] ?? 0) - length) / ((other[0] ?? 0) - level)
    : unit.startsWith(to)
      ? unit.length
      : 1;
  const rest = length - perLevel * level;
  if (!Number.isInteger(perLevel) || perLevel <= 0) return undefined;
  if (levels.some(([at = 0, long = 0]) => at * perLevel + rest !== long)) return undefined;
  if (filled.some((one) => (step === 0 ? 0 : one.length / step) * perLevel + rest < 0)) {
    return undefined;
  }
  return (line) => {
    if (line.trim() === "") return line;
    const from = indentOf(line);
    const at = step === 0 ? 0 : from.length / step;
    return to.repeat(at * perLevel + rest) + line.slice(from.length);
  };
}

/**
 * Returns the indentation of one level in these lines: a tab, or the step by which they most often
 * go in.
 */
export function indentationUnit(lines: readonly string[]): string {
  const steps = new Map<number, number>();
  let tabs = 0;
  let spaces = 0;
  let before = 0;
  for (const line of lines) {
    if (line.trim() === "") continue;
    if (line.startsWith("\t")) tabs++;
    const indent = indentOf(line).length;
    if (line.startsWith("  ")) spaces++;
    if (indent > before) steps.set(indent - before, (steps.get(indent - before) ?? 0) + 1);
    before = indent;
  }
  if (tabs > spaces) return "\t";
  const [most = 4] = [...steps].sort((a, b) => b[1] - a[1]).map(([step]) => step);
  return " ".repeat(most);
}

export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function isMixed(indent: string): boolean {
  return /[^ \t]/.test(indent) || (indent.includes(" ") && indent.includes("\t"));
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
