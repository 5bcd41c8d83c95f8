import { chdir, cwd } from "node:process";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { WriteStream } from "node:tty";
import { runCommandLine } from "../../src/cli/commandLine.js";
import type { Ended } from "./rooroo.js";

/** The built command, beside which its translations are. */
const bundle = fileURLToPath(new URL("../../../dist/rooroo.cjs", import.meta.url));

/** The build puts the version in the place of this name. */
Object.assign(globalThis, { ROOROO_VERSION: "0.0.0-test" });

interface Where {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The standard input; default: nothing. */
  readonly input?: string;
}

/** What runs at this moment: environment and folder are the process's, so that one runs after the other. */
let running: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line in this process, with an environment and a folder of its own. What only a process has (signals, an
 * end in the middle of the work) is for `Rooroo`.
 */
export function runHere(args: readonly string[], where: Where): Promise<Ended> {
  const ended = running.then(() => ran(args, where));
  running = ended.catch(() => undefined);
  return ended;
}

async function ran(
  args: readonly string[],
  { cwd: folder, env, input = "" }: Where,
): Promise<Ended> {
  const before = { folder: cwd(), env: { ...process.env } };
  const [out, err] = [new Printed(), new Printed()];
  chdir(folder);
  replaceEnvironment(env);
  try {
    const code = await runCommandLine(["node", "rooroo", ...args], {
      stdin: Readable.from([Buffer.from(input)]),
      stdout: out as unknown as WriteStream,
      stderr: err as unknown as WriteStream,
      env: process.env,
      bundle,
    });
    return { code, signal: null, stdout: out.text, stderr: err.text };
  } finally {
    replaceEnvironment(before.env);
    chdir(before.folder);
  }
}

/** In place, because other modules hold the object. */
function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
}

class Printed extends Writable {
  private readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString();
  }
}
