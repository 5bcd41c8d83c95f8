/**
 * `rooroo` for one command after the other, without the price of a start for each: a process of a
 * {@link Finisher}.
 */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { WriteStream } from "node:tty";
import { type Options, parseApprove } from "../../src/cli/arguments/options.js";
import { exitCodeOf } from "../../src/cli/commands/command.js";
import { type Work, work } from "../../src/cli/commands/work.js";
import { Terminal } from "../../src/cli/terminal/terminal.js";
import type { FinisherAnswer, FinisherOrder } from "./finisher.js";

function read([command = "", argument = ""]: readonly string[]): Work {
  if (command === "ask") {
    return { type: "ask", conversation: undefined, text: argument, attachments: [] };
  }
  if (command === "resume") return { type: "resume", taskId: argument };
  if (command === "proceed") return { type: "proceed", one: false };
  throw new Error(`${command} finishes nothing`);
}

async function carryOut({ words, root, home, env }: FinisherOrder): Promise<FinisherAnswer> {
  Object.assign(process.env, env, { ROOROO_HOME: home });
  const options: Options = {
    workspace: root,
    approve: parseApprove("all"),
    dialect: "auto",
    api: undefined,
    concurrency: 1,
    plans: "auto",
    isolated: false,
    setup: undefined,
    limitTask: {},
    limitDay: {},
    sandbox: "off",
    allowHost: [],
    allowCommand: [],
    denyCommand: [],
    json: false,
    model: undefined,
    profile: undefined,
    baseUrl: undefined,
    record: false,
    verbose: false,
  };
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const terminal = new Terminal(
    output as unknown as WriteStream,
    errors as unknown as WriteStream,
    {},
    {},
  );
  const printed = Promise.all([text(output), text(errors)]);
  const input = new PassThrough();
  const never = new AbortController().signal;
  const code = await work(read(words), { options, terminal, input, ended: never }).then(
    exitCodeOf,
    (error: unknown) => {
      terminal.printError(String(error));
      return 1;
    },
  );
  for (const stream of [output, errors]) stream.end();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(signal);
  const [stdout, stderr] = await printed;
  return { code, stdout, stderr };
}

process.on("message", (order: FinisherOrder) => {
  void carryOut(order).then((answer) => process.send?.(answer));
});
