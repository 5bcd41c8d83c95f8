import type { TaskQuestion } from "../../core/navigator/taskStore.js";

/** Returns the answer that the user means: a number selects the suggestion that was shown with it. */
export function chosenAnswer(text: string, question: TaskQuestion | undefined): string {
  const suggestions = question?.suggestions ?? [];
  if (suggestions.includes(text)) return text;
  const number = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return suggestions[number - 1] ?? text;
}
