import type { Style } from "./style.js";

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
