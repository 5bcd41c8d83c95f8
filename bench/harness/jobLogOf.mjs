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
      `- **Summary**: Out of turns; half of the fields are quoted.\n`,
  );
  const front = '---\ntitle: "Bench"\nprogress: "0%"\n---\n';
  return `${front}\n## Roadmap\n\n- [ ] **Phase**\n${tasks.join("")}\n## Work Log\n${entries.join("")}`;
}
