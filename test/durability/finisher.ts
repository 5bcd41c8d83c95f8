import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Stage } from "../cli/stage.js";

export interface FinisherOrder {
  /** `ask TEXT`, `resume ID` or `proceed`. */
  readonly words: readonly string[];
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface FinisherAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const program = fileURLToPath(new URL("planFinisher.js", import.meta.url));

/** A process that does what commands of `rooroo` do, one after the other, with all allowed. */
export class Finisher {
  private readonly child: ChildProcess = fork(program, { execArgv: [] });
  private readonly ended = once(this.child, "exit");

  async run(stage: Stage, ...words: readonly string[]): Promise<FinisherAnswer> {
    const { root, home, model } = stage;
    const stopped = new AbortController();
    const answer = once(this.child, "message", { signal: stopped.signal });
    this.child.send({ words, root, home, env: model.env } satisfies FinisherOrder);
    void this.ended.then(() => {
      stopped.abort(new Error("the finisher has ended"));
    });
    const [given] = (await answer) as [FinisherAnswer];
    return given;
  }

  async stop(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}
