/** Characters that mean nothing special to any shell, so that the program is given the words as they are. */
const plainWord = /^[A-Za-z0-9_./:+=-]+$/;
const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;

/**
 * Returns the words of a command line that is one program with plain arguments; `undefined` for every line in
 * which a quote, an expansion, an operator or an assignment could make it something else.
 */
export function plainWords(line: string): readonly string[] | undefined {
  const words = line.split(" ");
  return arePlain(words) ? words : undefined;
}

/** Returns whether every shell takes the words literally, and the first is not an assignment. */
export function arePlain(words: readonly string[]): boolean {
  return words.every((word) => plainWord.test(word)) && !assignment.test(words[0] ?? "");
}
