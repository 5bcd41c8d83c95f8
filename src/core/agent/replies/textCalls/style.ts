/** A call as it is written in a text; whether there is such a tool is not checked yet. */
export interface WrittenCall {
  readonly name: string;
  /** The arguments as JSON, which may be malformed. */
  readonly json: string;
}

/** The calls that were read at an offset of a text, and the offset at which they end (exclusive). */
export interface Reading {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
}

/** The matches of the named groups of {@link CallForm}. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Reads what follows the opening of a call, at an offset of the text; `undefined` if it cannot be read. */
export type ReadArguments = (text: string, at: number, groups: Groups) => Reading | undefined;

/** A form of a call. */
interface CallForm {
  /**
   * Matches a call up to its arguments. The group `name` is the tool's name; there is none where the arguments
   * are a whole call, which names its tool itself. It is sticky, so that it searches for nothing.
   */
  readonly open: RegExp;
  readonly read: ReadArguments;
  /** Matches what must follow the arguments; sticky, too. */
  readonly close?: RegExp;
}

/** A way in which models write calls into their text: a row of the table `styles`. */
export interface TextStyle {
  /** Whether the style uses marks that nobody writes without meaning a call. */
  readonly isMarked: boolean;
  /**
   * Finds where the first call begins; the first group is what stands before it on its line. It matches
   * malformed calls, too: everything from there on has to be calls, so that none of them is passed over.
   */
  readonly begin: RegExp;
  /** The forms of the style's calls, of which at most one fits any text. */
  readonly forms: readonly CallForm[];
  /** Matches text that may surround calls besides white space. Absent: only white space may. */
  readonly around?: RegExp;
}

/**
 * Reads a text, from its beginning to its end, as calls of a style; `undefined` if it is anything else.
 *
 * @param isTool returns whether a name refers to a tool that the model was offered
 */
export function readCalls(
  text: string,
  { forms, around = /(?:)/ }: TextStyle,
  isTool: (name: string) => boolean,
): readonly WrittenCall[] | undefined {
  const gap = new RegExp(`(?:\\s|${around.source})*`, `${around.flags}y`);
  const skip = (at: number): number => at + (matchAt(gap, text, at)?.[0].length ?? 0);
  const calls: WrittenCall[] = [];
  for (let at = skip(0); at < text.length;) {
    const reading = readCall(text, at, forms, isTool);
    if (reading === undefined) return undefined;
    calls.push(...reading.calls);
    at = skip(reading.end);
  }
  return calls.length > 0 ? calls : undefined;
}

function readCall(
  text: string,
  at: number,
  forms: readonly CallForm[],
  isTool: (name: string) => boolean,
): Reading | undefined {
  for (const { open, read, close = /(?:)/y } of forms) {
    const opening = matchAt(open, text, at);
    if (opening === null) continue;
    const groups: Groups = opening.groups ?? {};
    if (groups["name"] !== undefined && !isTool(groups["name"])) continue;
    const reading = read(text, at + opening[0].length, groups);
    const closing = reading && matchAt(close, text, reading.end);
    if (closing) return { calls: reading.calls, end: reading.end + closing[0].length };
  }
  return undefined;
}

/**
 * Matches a pattern at exactly this offset; `null` if it does not match there.
 *
 * @param pattern a sticky one
 */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
