import type { Said, Words } from "./words.js";

/** Returns what is said with each text in it that is somebody else's changed. */
export function withTexts(said: Words, change: (text: string) => string): Words;
export function withTexts(said: Said, change: (text: string) => string): Said;
export function withTexts(said: Said, change: (text: string) => string): Said {
  if (typeof said === "string") return change(said);
  const values = Object.entries(said.params).map(([name, value]) => {
    return [name, typeof value === "number" ? value : withTexts(value, change)] as const;
  });
  return { template: said.template, params: Object.fromEntries(values) };
}
