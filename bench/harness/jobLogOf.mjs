/** Summaries as runners write them in the entries of a log: short, long, with lists, with output. */
const summaries = [
  "Out of turns; half of the fields are quoted.",
  "Out of turns. `src/csv/write.ts` quotes fields with commas and line ends now, and `npm test` passes (212 tests); the reader still takes a quote within a field for its end.",
  "Out of turns after 14 of 22 files:\n  - done: `src/csv/read.ts`, `src/csv/write.ts`\n  - left: everything in `src/export/`, **and** their tests",
  'Out of turns. The check says:\n\n  ```\n  AssertionError: "a;b" is not quoted\n      at test/csv/write.test.ts:41\n  ```\n\n  The rest is done.',
  "轮次已用完：一半字段已经加上引号，`npm test` 通过；其余的字段在下一轮继续。",
];

/**
 * A job's log with an entry for each of its tasks, all of which are to be done.
 *
 * @param {number} size
 */
export function jobLogOf(size) {
  const numbers = Array.from({ length: size }, (_, n) => `1.${n + 1}`);
  const tasks = numbers.map(
    (number) => `  - [ ] ${number}. Quote the fields\n    - status: Pending\n`,
  );
  const entries = numbers.map(
    (number, n) =>
      `\n### Log ${size - n} @bench (2026-01-01T00:00:00Z)\n\n- **Role**: Runner\n` +
      `- **Objective**: Task ${number}. Quote the fields\n- **Result**: Pending\n` +
      `- **Summary**: ${summaries[n % summaries.length]}\n`,
  );
  const front = '---\ntitle: "Bench"\nprogress: "0%"\n---\n';
  return `${front}\n## Roadmap\n\n- [ ] **Phase**\n${tasks.join("")}\n## Work Log\n${entries.join("")}`;
}
