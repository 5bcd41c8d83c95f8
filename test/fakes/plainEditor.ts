import type { EditorFocus, EditorView } from "../../src/core/ports/editor.js";
import type { CommitName, Comparison, Git } from "../../src/core/ports/git.js";

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
  /** What it was asked to compare, in order. */
  readonly compared: Comparison[] = [];

  /**
   * @param diffs what has changed, whatever is compared, by path
   * @param staged what is staged, by path; absent: nothing is
   * @param outside what is staged outside of the workspace
   */
  constructor(
    private readonly printed: string | undefined,
    private readonly diffs: Readonly<Record<string, string>> = {},
    private readonly log: readonly CommitName[] = [],
    private readonly staged: Readonly<Record<string, string>> = {},
    private readonly outside: readonly string[] = [],
  ) {}

  changed(what: Comparison): Promise<string[] | undefined> {
    this.compared.push(what);
    return Promise.resolve(Object.keys(this.of(what)));
  }

  diff(paths: readonly string[], what: Comparison): Promise<string | undefined> {
    const diffs = this.of(what);
    return Promise.resolve(paths.map((path) => diffs[path] ?? "").join(""));
  }

  stagedOutside(): Promise<readonly string[] | undefined> {
    return Promise.resolve(this.outside);
  }

  private of(what: Comparison): Readonly<Record<string, string>> {
    return what.of === "staged" ? this.staged : this.diffs;
  }

  commits(limit: number): Promise<readonly CommitName[] | undefined> {
    return Promise.resolve(this.log.slice(0, limit));
  }

  status(): Promise<string | undefined> {
    this.asked++;
    return Promise.resolve(this.printed);
  }

  history(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
