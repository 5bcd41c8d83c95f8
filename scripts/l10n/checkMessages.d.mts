/** Returns what is wrong with the translations of messages into a language, one line each. */
export function translationProblems(
  language: string,
  messages: Iterable<string>,
  translations: Readonly<Record<string, string>>,
): string[];
