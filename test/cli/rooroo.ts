import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

const bundle = fileURLToPath(new URL("../../../dist/rooroo.cjs", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the environment of a command: the few variables that every process needs, a home beside its folder, and these. */
export function processEnvironment(
  cwd: string,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const home = `${cwd}-home`;
  return { PATH: process.env["PATH"] ?? "", HOME: home, ROOROO_HOME: home, ...env };
}

/** A `rooroo` process at work. */
export class Rooroo {
  stdout = "";
  stderr = "";
  readonly ended: Promise<Ended>;
  private readonly child: ChildProcess;
  /** Told, once, of the next output. */
  private readonly listeners: (() => void)[] = [];

  /**
   * @param env beside the few variables that every process needs, and a home beside its folder
   * @param isOpen whether {@link input} and {@link output} are the caller's, and `stdout` stays empty
   */
  constructor(
    args: readonly string[],
    options: { cwd: string; env?: Record<string, string>; isOpen?: boolean },
  ) {
    const { cwd, env = {}, isOpen = false } = options;
    this.child = spawn(process.execPath, [bundle, ...args], {
      cwd,
      env: processEnvironment(cwd, env),
      stdio: ["pipe", "pipe", "pipe"],
    });
    if (!isOpen) this.child.stdin?.end();
    for (const name of isOpen ? (["stderr"] as const) : (["stdout", "stderr"] as const)) {
      this.child[name]?.setEncoding("utf8").on("data", (text: string) => {
        this[name] += text;
        for (const tell of this.listeners.splice(0)) tell();
      });
    }
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  get input(): Writable {
    return this.child.stdin!;
  }

  get output(): Readable {
    return this.child.stdout!;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves when one of its outputs has so many of what the pattern finds. */
  async prints(pattern: RegExp, times = 1): Promise<void> {
    const all = new RegExp(pattern, "g");
    const isThere = () =>
      [this.stdout, this.stderr].some((text) => (text.match(all) ?? []).length >= times);
    while (!isThere()) {
      const more = new Promise<"more">((resolve) => {
        this.listeners.push(() => {
          resolve("more");
        });
      });
      if ((await Promise.race([more, this.ended])) !== "more" && !isThere()) {
        throw new Error(`rooroo ended without ${String(pattern)}:\n${this.stdout}${this.stderr}`);
      }
    }
  }
}
