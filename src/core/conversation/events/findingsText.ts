import type { Translate } from "../../text/translator.js";
import { visibleLine } from "../../text/visibleText.js";
import type { Finding } from "./finding.js";

/** Returns the place of a finding, as in `src/cart.js:12`. */
export function findingPlace({ path, line }: Pick<Finding, "path" | "line">): string {
  return `${visibleLine(path, 300)}${line === null ? "" : `:${line}`}`;
}

/** Returns findings as Markdown, each with a link to its place; empty if it is not known that there was a review. */
export function findingsMarkdown(findings: readonly Finding[] | undefined, t: Translate): string {
  if (findings === undefined) return "";
  if (findings.length === 0) return t("No findings.");
  const items = findings.map(({ severity, message, suggestion, ...place }) => {
    const words = [message, ...(suggestion === null ? [] : [t("Suggestion: {0}", suggestion)])];
    const text = words.map((one) => one.trim().replaceAll(/(?<!\s)\s*\n\s*/g, " ")).join(" ");
    return `- \`${findingPlace(place).replaceAll("`", "'")}\` **${severity}**: ${text}`;
  });
  const head = t("{0, plural, one {# finding:} other {# findings:}}", findings.length);
  return `${head}\n\n${items.join("\n")}`;
}

/** Returns an expert's message with its findings, Markdown. */
export function messageWithFindings(
  message: string,
  findings: readonly Finding[] | undefined,
  t: Translate,
): string {
  return [message, findingsMarkdown(findings, t)].filter((part) => part !== "").join("\n\n");
}
