type Look = (text: string) => string;

/** Each function gives its text a look, where there are looks. */
export interface Style {
  readonly isOn: boolean;
  readonly bold: Look;
  readonly dim: Look;
  readonly red: Look;
  readonly green: Look;
  readonly yellow: Look;
  readonly cyan: Look;
}

/** Plain where nobody looks on, and where https://no-color.org asks for it. */
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
