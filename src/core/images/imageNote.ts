import { visibleLine } from "../text/visibleText.js";

/** Returns what a model is told in place of an image, as in `(The image "a.png" was attached, which …)`. */
export function imageNote(name: string, why: "unseen" | "gone" | "left"): string {
  const shown = visibleLine(name, 100).replaceAll("<", "&lt;");
  const reason = {
    unseen: "which this model cannot see. Say so if it matters",
    gone: "which is not there any more",
    left: "which is left out because there are too many images",
  }[why];
  return `(The image "${shown}" was attached, ${reason}.)`;
}
