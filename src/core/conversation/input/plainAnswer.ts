/** The most characters of one word that can be nothing but an answer; in scripts without spaces a word is longer. */
const longestWord = 40;
const longestUnspacedWord = 4;

/**
 * Returns the answer that typed words are beyond doubt when one question is open: the number or the name of a suggestion, or a
 * single word, which asks for nothing new. `undefined`: they may be something else.
 */
export function plainAnswer(typed: string, suggestions: readonly string[]): string | undefined {
  const words = typed.trim();
  const named = chosenSuggestion(words, suggestions);
  if (named !== undefined) return named;
  const isSpaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}\p{P}\p{S}]+$/u;
  const most = isSpaced.test(words) ? longestWord : longestUnspacedWord;
  return /^\S+$/u.test(words) &&
    !words.startsWith("/") &&
    !/[?？]$/.test(words) &&
    words.length <= most
    ? words
    : undefined;
}

/** Returns the answer that the user means: a number selects the suggestion that was shown with it. */
export function chosenAnswer(text: string, suggestions: readonly string[] = []): string {
  return chosenSuggestion(text, suggestions) ?? text;
}

/** Returns the suggestion that a text names by its number or its words, or by the beginning that only one of them has. */
function chosenSuggestion(text: string, suggestions: readonly string[]): string | undefined {
  if (suggestions.includes(text)) return text;
  const [, number] = /^(\d{1,2})[.)]?$/.exec(text) ?? [];
  if (number !== undefined) return suggestions[Number(number) - 1];
  const wanted = plain(text);
  if (wanted === "") return undefined;
  const same = suggestions.filter((one) => plain(one) === wanted);
  const found =
    same.length > 0 ? same : suggestions.filter((one) => plain(one).startsWith(`${wanted} `));
  return found.length === 1 ? found[0] : undefined;
}

/** Returns the words of a text, without case and without marks. */
function plain(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join(" ") ?? "";
}
