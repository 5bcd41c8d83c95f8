import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { messageOf } from "../../core/errors.js";
import { AcpAgent } from "../acp/acpAgent.js";
import { t } from "../language/language.js";
import { givenSettings } from "../session/givenSettings.js";
import { terminalText } from "../terminal/terminalText.js";
import type { Cli, Result, StopSignal } from "./command.js";
import { stopOnSignals } from "./work.js";

/**
 * Works for an editor that speaks the Agent Client Protocol on standard input and output, until it closes them. Throws
 * `WrongUse` if the options and the environment name no model.
 */
export async function acp({ options, terminal, input, ended }: Cli): Promise<Result<"stopped">> {
  const settings = await givenSettings(options, process.env);
  const stream = ndJsonStream(
    Writable.toWeb(terminal.output),
    Readable.toWeb(input) as ReadableStream<Uint8Array>,
  );
  const agent = new AcpAgent(stream, {
    ...settings,
    workspace: options.workspace,
    redactor: terminal.redactor,
    onJournalError: (error) => {
      terminal.printError(
        `! ${t("The conversation cannot be saved: {0}", terminalText(messageOf(error)))}\n`,
      );
    },
  });
  const stop: { by?: StopSignal } = {};
  const stopped = new Promise<void>((resolve) => {
    stopOnSignals(ended, (signal) => {
      stop.by = signal;
      resolve();
    });
  });
  await Promise.race([agent.closed, stopped]);
  await agent.end();
  return stop.by === undefined ? { end: "done" } : { end: "stopped", signal: stop.by };
}
