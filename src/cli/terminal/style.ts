type Look = (text: string) => string;

/** Functions that style a text; if styling is off, they return it unchanged. */
export interface Style {
  readonly isOn: boolean;
  readonly bold: Look;
  readonly dim: Look;
  readonly red: Look;
  readonly green: Look;
  readonly yellow: Look;
  readonly cyan: Look;
}

/**
 * Creates the style of a stream. Styling is off without a terminal, with `NO_COLOR`
 * (https://no-color.org), and on a dumb terminal.
 */
export function createStyle(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  const isOn = stream.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const look =
    (on: number, off: number): Look =>
    (text) =>
      isOn && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    isOn,
    bold: look(1, 22),
    dim: look(2, 22),
    red: look(31, 39),
    green: look(32, 39),
    yellow: look(33, 39),
    cyan: look(36, 39),
  };
}

/** Colours the lines of a unified diff. */
export function coloredDiff(diff: string, { green, red, cyan }: Style): string {
  return diff
    .split("\n")
    .map((line) => {
      if (line.startsWith("@@")) return cyan(line);
      if (line.startsWith("+")) return green(line);
      return line.startsWith("-") ? red(line) : line;
    })
    .join("\n");
}
