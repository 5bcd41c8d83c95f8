import { chdir, cwd } from "node:process";
import { PassThrough, Readable, Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../../src/cli/commandLine.js";
import { SystemClock } from "../../src/node/systemClock.js";
import { BriskClock } from "../fakes/briskClock.js";
import type { Ended } from "./rooroo.js";

/** The built command, beside which its translations are. */
const bundle = fileURLToPath(new URL("../../../dist/rooroo.cjs", import.meta.url));

// Also where a command opens its own services.
const brisk = new BriskClock();
SystemClock.prototype.sleep = (ms, signal) => brisk.sleep(ms, signal);

/** The build puts the version in the place of this name. */
Object.assign(globalThis, { ROOROO_VERSION: "0.0.0-test" });

interface Where {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The standard input; default: nothing. */
  readonly input?: string | Buffer;
  /** The standard output; default: one that takes everything. */
  readonly output?: Writable;
}

/** The folder of the command that is open, if one is: others may run there meanwhile, one after the other. */
let openIn: string | undefined;
let besides: Promise<unknown> = Promise.resolve();

/** What runs at this moment: environment and folder are the process's, so that one runs after the other. */
let running: Promise<unknown> = Promise.resolve();

/**
 * Runs the command line in this process, with an environment and a folder of its own. What only a process has (signals, an
 * end in the middle of the work) is for `Rooroo`.
 */
export function runHere(args: readonly string[], where: Where): Promise<Ended> {
  const isBeside = openIn === where.cwd;
  const ended = (isBeside ? besides : running).then(() => ran(args, where));
  const settled = ended.catch(() => undefined);
  if (isBeside) besides = settled;
  else running = settled;
  return ended;
}

/** A command that talks with the test on its standard input and output. */
export interface Open {
  readonly input: Writable;
  readonly output: Readable;
  readonly ended: Promise<Ended>;
}

/** Starts a command in this process that goes on until its input ends; only those of its folder run here meanwhile. */
export function openHere(args: readonly string[], where: Where): Open {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = running.then(async () => {
    openIn = where.cwd;
    try {
      return await ran(args, where, { input, output });
    } finally {
      openIn = undefined;
      await besides;
    }
  });
  running = ended.catch(() => undefined);
  return { input, output, ended };
}

async function ran(
  args: readonly string[],
  { cwd: folder, env, input = "", output }: Where,
  open?: { readonly input: Readable; readonly output: Writable },
): Promise<Ended> {
  const before = { folder: cwd(), env: { ...process.env } };
  const [out, err] = [new Printed(), new Printed()];
  chdir(folder);
  replaceEnvironment(env);
  try {
    const code = await runCommandLine(["node", "rooroo", ...args], {
      stdin: open?.input ?? Readable.from([typeof input === "string" ? Buffer.from(input) : input]),
      stdout: (open?.output ?? output ?? out) as unknown as WriteStream,
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
