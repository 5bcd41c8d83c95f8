import { row } from "../harness/row.mjs";

/** @typedef {"right" | "wrong" | "refused"} Verdict */

/**
 * The rows of one corpus.
 *
 * @param {string} title
 * @param {readonly Verdict[]} verdicts
 * @param {{ mostRefused: number, peers: string }} known The goal, and how others fare on the same corpus.
 */
export function counted(title, verdicts, { mostRefused, peers }) {
  const of = (verdict) => verdicts.filter((one) => one === verdict).length;
  return [
    row(`${title}: right (${peers})`, of("right"), `of ${verdicts.length}`),
    row(`${title}: wrong`, of("wrong"), "", 0),
    row(`${title}: refused`, of("refused"), "", mostRefused),
  ];
}
