import type { ProblemWatch, ToolResult } from "../../agent/tool.js";
import type { Diagnostics, Problem } from "../../ports/editor.js";
import type { Clock } from "../../ports/system.js";
import { lastPart } from "../../text/pathParts.js";
import { visibleLine } from "../../text/visibleText.js";

/** Milliseconds that language servers have to report on a changed file, and then to finish. */
const timeoutMs = 1_500;
const quietMs = 250;
/** The number of waits in vain after which a file name's ending counts as one that no server checks. */
const triesInVain = 3;

/**
 * Waits for language servers only where they report anything: files of a kind that no server checks
 * soon cost no time.
 */
export class DiagnosticsWatch implements ProblemWatch {
  /** The endings of files that were ever reported on. */
  private readonly heard = new Set<string>();
  /** The number of times that problems of a file were waited for in vain, by the file's ending. */
  private readonly inVain = new Map<string, number>();

  constructor(
    private readonly diagnostics: Diagnostics,
    private readonly clock: Clock,
  ) {
    diagnostics.onDidChange((paths) => {
      for (const path of paths) this.heard.add(endingOf(path));
    });
    for (const { path } of diagnostics.problems("")) this.heard.add(endingOf(path));
  }

  async now(path: string, signal: AbortSignal): Promise<readonly Problem[]> {
    const news = new News(this.diagnostics, path);
    try {
      if (await this.diagnostics.watch(path)) await this.settle(news, path, signal);
      return this.diagnostics.problems(path);
    } finally {
      news.end();
    }
  }

  known(path: string): readonly Problem[] {
    return this.diagnostics.problems(path);
  }

  /** Does the work, and adds to its result the errors and warnings that were not there before. */
  async after(
    path: string,
    work: () => Promise<ToolResult>,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const before = await this.now(path, signal);
    const news = new News(this.diagnostics, path);
    try {
      const result = await work();
      if (!result.ok) return result;
      try {
        // A file that the work made can be watched only now.
        await this.diagnostics.watch(path);
        await this.settle(news, path, signal);
      } catch (error) {
        // The work is done, even if the task is stopped meanwhile.
        if (signal.aborted) return result;
        throw error;
      }
      const added = addedTo(before, this.diagnostics.problems(path));
      if (added.length === 0) return result;
      const content = `${result.content}\nNew problems there, as the editor sees it:\n${problemLines(added)}`;
      return { ...result, content };
    } finally {
      news.end();
    }
  }

  /** Waits until no further report comes, or until none has come in time. */
  private async settle(news: News, path: string, signal: AbortSignal): Promise<void> {
    const ending = endingOf(path);
    const tries = this.inVain.get(ending) ?? 0;
    if (!this.heard.has(ending) && tries >= triesInVain) return;
    if (await this.waits(news, timeoutMs, signal)) {
      while (await this.waits(news, quietMs, signal));
    } else this.inVain.set(ending, tries + 1);
  }

  /** Waits for the next report; resolves to `false` when none comes in time. */
  private async waits(news: News, ms: number, signal: AbortSignal): Promise<boolean> {
    const over = new AbortController();
    const time = this.clock.sleep(ms, AbortSignal.any([signal, over.signal])).then(() => false);
    try {
      return await Promise.race([news.next().then(() => true), time]);
    } finally {
      time.catch(() => undefined);
      over.abort();
    }
  }
}

/** The reports on one file from the creation of this object on. */
class News {
  private unheard = 0;
  private tell: () => void = () => undefined;
  readonly end: () => void;

  constructor(diagnostics: Diagnostics, path: string) {
    this.end = diagnostics.onDidChange((paths) => {
      if (!paths.includes(path)) return;
      this.unheard++;
      this.tell();
    });
  }

  async next(): Promise<void> {
    if (this.unheard === 0) await new Promise<void>((resolve) => (this.tell = resolve));
    this.unheard = 0;
  }
}

/**
 * Returns the new errors and warnings. Lines move with an edit, so they do not tell whether a
 * problem is new.
 */
function addedTo(before: readonly Problem[], after: readonly Problem[]): Problem[] {
  const known = new Map<string, number>();
  const key = ({ severity, source, message }: Problem) => [severity, source, message].join("\n");
  for (const problem of before) known.set(key(problem), (known.get(key(problem)) ?? 0) + 1);
  return after.filter((problem) => {
    if (problem.severity !== "error" && problem.severity !== "warning") return false;
    const left = known.get(key(problem)) ?? 0;
    known.set(key(problem), left - 1);
    return left <= 0;
  });
}

function endingOf(path: string): string {
  return /\.[^./]*$/.exec(path)?.[0] ?? lastPart(path);
}

const maxProblems = 100;

const ranks = { error: 0, warning: 1, information: 2, hint: 3 } as const;

/** Returns problems as lines for a model, the worst first, and at most 100 of them. */
export function problemLines(problems: readonly Problem[]): string {
  const byRank = problems.toSorted((a, b) => ranks[a.severity] - ranks[b.severity]);
  const lines = byRank.slice(0, maxProblems).map(({ path, line, severity, message, source }) => {
    const from = source === "" ? "" : ` (${visibleLine(source, 60)})`;
    return `${path}:${line} ${severity}: ${visibleLine(message, 500)}${from}`;
  });
  const left = problems.length - lines.length;
  return [...lines, ...(left > 0 ? [`(and ${left} more)`] : [])].join("\n");
}
