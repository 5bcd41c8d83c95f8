/** A call as it is written in a text; whether there is such a tool is not checked yet. */
export interface WrittenCall {
  readonly name: string;
  /** The arguments as JSON, which may be malformed. */
  readonly json: string;
}

/** One way to read the text at an offset: the calls, and where they end (exclusive). */
export interface Reading {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
}

/** What the named groups of {@link CallForm} have matched. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Yields all ways to read what follows the opening of a call, at an offset of the text. */
export type ReadArguments = (text: string, at: number, groups: Groups) => Iterable<Reading>;

/** One form of a call. */
interface CallForm {
  /**
   * Matches a call up to its arguments. The group `name` is the tool's name; there is none where the arguments
   * are a whole call, which names its tool itself.
   */
  readonly open: RegExp;
  readonly read: ReadArguments;
  /** Matches what must follow the arguments. */
  readonly close?: RegExp;
}

/** One way in which models write calls into their text: a row of the table `styles`. */
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
  /** What may stand around calls besides white space. Absent: nothing. */
  readonly around?: RegExp;
}

/**
 * Yields all ways to read a text, from its beginning to its end, as calls of a style and nothing else. There
 * are several if the text is ambiguous.
 *
 * @param isTool returns whether a name refers to a tool that the model was offered
 */
export function* readCalls(
  text: string,
  { forms, around = /(?:)/ }: TextStyle,
  isTool: (name: string) => boolean,
): Generator<readonly WrittenCall[]> {
  const gap = new RegExp(`(?:\\s|${around.source})*`);
  const skip = (at: number): number => at + (matchAt(gap, text, at)?.[0].length ?? 0);
  function* from(at: number): Generator<readonly WrittenCall[]> {
    for (const form of forms) {
      for (const { calls, end } of readCall(text, at, form, isTool)) {
        const next = skip(end);
        if (next === text.length) yield calls;
        else for (const rest of from(next)) yield [...calls, ...rest];
      }
    }
  }
  yield* from(skip(0));
}

function* readCall(
  text: string,
  at: number,
  { open, read, close = /(?:)/ }: CallForm,
  isTool: (name: string) => boolean,
): Generator<Reading> {
  const opening = matchAt(open, text, at);
  if (opening === null) return;
  const groups: Groups = opening.groups ?? {};
  if (groups["name"] !== undefined && !isTool(groups["name"])) return;
  for (const { calls, end } of read(text, at + opening[0].length, groups)) {
    const closing = matchAt(close, text, end);
    if (closing !== null) yield { calls, end: end + closing[0].length };
  }
}

/** Matches a pattern at exactly this offset; `null` if it does not match there. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}y`);
  sticky.lastIndex = at;
  return sticky.exec(text);
}
