import { type ChecklistStep, plainStep } from "../agent/checklist.js";

/** Further steps are dropped: a longer list is of no use to the user. */
const maxSteps = 100;
const maxLength = 500;

const states: Readonly<Record<string, ChecklistStep["state"]>> = {
  "": "open",
  "-": "doing",
  "~": "doing",
  ">": "doing",
  x: "done",
};

/**
 * Reads a Markdown checklist with one step on a line: `[ ] to do`, `[-] under way`, `[x] done`,
 * with or without a bullet or a number before it. A line without a box is a step to do; empty lines
 * and headings are skipped. Never throws.
 */
export function parseChecklist(text: string): ChecklistStep[] {
  const steps: ChecklistStep[] = [];
  for (const line of text.split("\n")) {
    const [, box, words = ""] =
      /^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+)?(?:\[([ xX~>-]?)\])?\s*(.*?)\s*$/.exec(line) ?? [];
    if (words === "" || /^(#{1,6}(\s|$)|```|---)/.test(line.trim())) continue;
    const state = states[(box ?? "").trim().toLowerCase()] ?? "open";
    const plain = plainStep(words);
    steps.push({ text: plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain, state });
    if (steps.length === maxSteps) break;
  }
  return steps;
}
