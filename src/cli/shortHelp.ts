import { commands, groups } from "./commandTable.js";
import { t } from "./language/language.js";

/** The commands that most people need first. */
const first = ["ask", "proceed", "answer", "status", "changes", "undo", "job", "run", "doctor"];

/** Returns what is printed when no command is named: what most people need first, and where the rest is. */
export function shortHelp(): string {
  const width = Math.max(...first.map((name) => name.length)) + 2;
  const lines = first.map((name) => {
    const one = commands.find(({ words }) => words.split(" ", 1)[0] === name);
    return `  rooroo ${name.padEnd(width)}${t(groups[name] ?? one?.description ?? "")}`;
  });
  return [
    t("State a goal; experts plan it and do it with real tools on your workspace."),
    "",
    ...lines,
    "",
    `${t("All commands and options: rooroo help")}\n`,
  ].join("\n");
}
