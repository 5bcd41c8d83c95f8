/**
 * Returns what a program printed as a terminal would leave it: without colors and other escape
 * sequences, and with only the last state of a progress line.
 */
export function plainOutput(output: string): string {
  return output
    .replace(escapeSequences, "")
    .replace(/(?<!\r)\r+\n/g, "\n")
    .split("\n")
    .map((line) => line.replace(/(?<!\r)\r+$/, ""))
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n");
}

const escapeSequences =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[PX^_][^\u001B]*(?:\u001B\\)?|[ -/]*[0-~])/g;
