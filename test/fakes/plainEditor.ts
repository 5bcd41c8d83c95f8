import type { EditorFocus, EditorView } from "../../src/core/ports/editor.js";
import type { Git } from "../../src/core/ports/git.js";

/** An editor that shows what a test says. */
export class PlainEditor implements EditorView {
  constructor(private shown: Partial<EditorFocus> & Pick<EditorFocus, "path" | "line">) {}

  show(focus: PlainEditor["shown"]): void {
    this.shown = focus;
  }

  focus(): EditorFocus {
    return { others: [], problems: [], ...this.shown };
  }
}

/** A git that prints what a test says. */
export class PlainGit implements Git {
  asked = 0;

  constructor(private readonly printed: string | undefined) {}

  status(): Promise<string | undefined> {
    this.asked++;
    return Promise.resolve(this.printed);
  }
}
