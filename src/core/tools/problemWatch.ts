import type { ProblemWatch, ToolResult } from "../agent/tool.js";
import type { Clock, Diagnostics, Problem } from "../ports.js";
import { problemLines } from "./problemLines.js";

/** How long language servers are given to say something of a changed file, and then to finish. */
const patienceMs = 1_500;
const quietMs = 250;
/** Files of a kind that are waited for in vain before that kind counts as one that nobody checks. */
const triesInVain = 3;

/**
 * Waits for language servers only where they have been heard: with kinds of files that nobody
 * checks, an edit costs no time.
 */
export class DiagnosticsWatch implements ProblemWatch {
  /** Endings of files of which something was ever said. */
  private readonly heard = new Set<string>();
  /** How often the others were waited for. */
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

  /** Adds the errors and warnings that were not there before. */
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
        // The work is done, whoever stops meanwhile.
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

  /** Until nothing more is said, or nothing at all is. */
  private async settle(news: News, path: string, signal: AbortSignal): Promise<void> {
    const ending = endingOf(path);
    const tries = this.inVain.get(ending) ?? 0;
    if (!this.heard.has(ending) && tries >= triesInVain) return;
    if (await this.waits(news, patienceMs, signal)) {
      while (await this.waits(news, quietMs, signal));
    } else this.inVain.set(ending, tries + 1);
  }

  /** `false` when nothing was said in time. */
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

/** What is said of one file, from the moment on that this is made. */
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

/** Lines move with an edit, so they do not tell whether a problem is new. */
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
  return /\.[^./]*$/.exec(path)?.[0] ?? path.slice(path.lastIndexOf("/") + 1);
}
