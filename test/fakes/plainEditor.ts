import type { EditorFocus, EditorView } from "../../src/core/ports/editor.js";
import type { CommitName, Git } from "../../src/core/ports/git.js";

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

  /** @param diffs what has changed since the last commit, or in a commit, by path */
  constructor(
    private readonly printed: string | undefined,
    private readonly diffs: Readonly<Record<string, string>> = {},
    private readonly log: readonly CommitName[] = [],
  ) {}

  changed(): Promise<string[] | undefined> {
    return Promise.resolve(Object.keys(this.diffs));
  }

  diff(paths: readonly string[]): Promise<string | undefined> {
    return Promise.resolve(paths.map((path) => this.diffs[path] ?? "").join(""));
  }

  commits(limit: number): Promise<readonly CommitName[] | undefined> {
    return Promise.resolve(this.log.slice(0, limit));
  }

  status(): Promise<string | undefined> {
    this.asked++;
    return Promise.resolve(this.printed);
  }
}
