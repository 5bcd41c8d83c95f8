/** Returns the answer that the user means: a number selects the suggestion that was shown with it. */
export function chosenAnswer(text: string, suggestions: readonly string[] = []): string {
  if (suggestions.includes(text)) return text;
  const number = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return suggestions[number - 1] ?? text;
}
