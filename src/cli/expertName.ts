import { terminalText } from "./terminalText.js";

/** As people say it: `rooroo-idea-sparker` is "Idea Sparker". */
export function expertName(mode: string): string {
  const words = mode
    .replace(/^rooroo-/, "")
    .split("-")
    .filter((word) => word !== "");
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  return terminalText(name || mode);
}
