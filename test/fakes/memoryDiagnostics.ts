import type { Diagnostics, Problem } from "../../src/core/ports/editor.js";

/** Problems that a test sets. */
export class MemoryDiagnostics implements Diagnostics {
  readonly watched = new Set<string>();
  private known: readonly Problem[] = [];
  private readonly listeners = new Set<(paths: readonly string[]) => void>();

  problems(path: string): Problem[] {
    return this.known.filter((one) => path === "" || `${one.path}/`.startsWith(`${path}/`));
  }

  watch(path: string): Promise<boolean> {
    const isNew = !this.watched.has(path);
    this.watched.add(path);
    return Promise.resolve(isNew);
  }

  onDidChange(listener: (paths: readonly string[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Replaces all that is known of the files named, as `error 3 no such name` by path. */
  say(files: Readonly<Record<string, readonly string[]>>): void {
    const paths = Object.keys(files);
    this.known = [
      ...this.known.filter(({ path }) => !paths.includes(path)),
      ...Object.entries(files).flatMap(([path, lines]) => lines.map((line) => problem(path, line))),
    ];
    for (const listener of this.listeners) listener(paths);
  }

  get listening(): number {
    return this.listeners.size;
  }
}

function problem(path: string, words: string): Problem {
  const [, severity = "error", line = "1", message = ""] = /^(\w+) (\d+) (.*)$/.exec(words) ?? [];
  return {
    path,
    line: Number(line),
    message,
    source: "ts 1",
    severity: severity as Problem["severity"],
  };
}
