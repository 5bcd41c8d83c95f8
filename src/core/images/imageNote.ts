import { visibleLine } from "../text/visibleText.js";

/**
 * Returns what a model is told in place of an image, as in `(The image "a.png" was attached, which …)`.
 *
 * @param from who it is from: a tool's comes with a result
 */
export function imageNote(
  name: string,
  why: "unseen" | "gone" | "left" | "refused",
  from: "person" | "tool" = "person",
): string {
  const shown = visibleLine(name, 100).replaceAll("<", "&lt;");
  const reason = {
    unseen: "which this model cannot see. Say so if it matters",
    gone: "which is not there any more",
    refused:
      "which the model's server does not take: it may be damaged or too large. Say so if it matters",
    left: "which is left out because there are too many images",
  }[why];
  const came = from === "tool" ? "is part of this result" : "was attached";
  return `(The image "${shown}" ${came}, ${reason}.)`;
}
