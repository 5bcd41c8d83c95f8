/** None of these means anything to any shell, so that the words are what the program is given. */
const plainWord = /^[A-Za-z0-9_./:+=-]+$/;
const assignment = /^[A-Za-z_][A-Za-z0-9_]*=/;

/**
 * The words of a command line that is one program with plain arguments; `undefined` for every line
 * in which a quote, an expansion, an operator or an assignment could make it something else.
 */
export function plainWords(line: string): readonly string[] | undefined {
  const words = line.split(" ");
  return arePlain(words) ? words : undefined;
}

/** Whether words mean themselves to every shell, and are no assignment in front of a program. */
export function arePlain(words: readonly string[]): boolean {
  return words.every((word) => plainWord.test(word)) && !assignment.test(words[0] ?? "");
}
