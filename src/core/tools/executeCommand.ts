import * as z from "zod";
import type { Printed, Tool, ToolResult } from "../agent/tool.js";
import type { ShellResult } from "../ports.js";
import { failed } from "./failed.js";
import { fileNameOf } from "./keptWhole.js";
import { plainOutput } from "./plainOutput.js";
import { resolvePath, shownPath } from "./resolvePath.js";
import { visibleLine, visibleText } from "./visibleText.js";

const defaultSeconds = 120;
const maxSeconds = 3600;

const parameters = z.object({
  command: z.string().trim().min(1),
  cwd: z.string().nullish(),
  timeout_seconds: z.number().positive().nullish().describe(`Default ${defaultSeconds}`),
});
type Arguments = z.infer<typeof parameters>;

export const executeCommand: Tool<Arguments> = {
  kind: "action",
  name: "execute_command",
  description:
    "Run a shell command in the workspace. It gets no input; background processes end with it.",
  parameters,
  access: "command",
  title: ({ command }) => visibleLine(command),

  async prepare({ command, cwd, timeout_seconds }, context) {
    if (command === "") return failed("There is no command.");
    if (command.includes("\0")) return failed("A command cannot contain the character NUL.");
    const resolved = await resolvePath(cwd ?? "", context.files);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    const stat = await context.files.stat(location.path);
    if (stat?.kind !== "folder") return failed(`There is no folder ${shownPath(location.path)}.`);
    const seconds = Math.min(timeout_seconds ?? defaultSeconds, maxSeconds);
    return {
      intent: {
        access: "command",
        title: `Run ${visibleLine(command)}`,
        command,
        path: location.path,
        inside: location.inside,
        preview: { kind: "command", text: visibleText(command) },
      },
      editable: {
        kind: "command",
        text: command,
        prepare: (edited) =>
          executeCommand.prepare({ command: edited.trim(), cwd, timeout_seconds }, context),
        note: (edited) => `The user changed the command. What ran instead:\n${edited.trim()}\n`,
      },
      run: async () => {
        context.signal.throwIfAborted();
        const outputPath = `${context.taskFolder}/output/${fileNameOf(context.callId)}.log`;
        const result = await context.shell.run(
          {
            command,
            cwd: location.path,
            timeoutMs: seconds * 1000,
            onOutput: context.onOutput,
            outputPath,
          },
          context.signal,
        );
        return resultOf(result, seconds, outputPath);
      },
    };
  },
};

function resultOf(result: ShellResult, seconds: number, outputPath: string): ToolResult {
  const output = plainOutput(result.output).trimEnd();
  const lines = [endOf(result, seconds)];
  if (output === "") lines.push("It printed nothing.");
  else lines.push("Output:", output);
  if (result.omitted > 0) {
    lines.push(`(${result.omitted} characters are left out; all of it is in ${outputPath}.)`);
  }
  const worked = result.endedBy === "itself";
  const ok = worked && result.exitCode === 0;
  const { streams } = result;
  return {
    ...{ ok, worked, content: lines.join("\n") },
    ...(streams && { printed: printedBy({ ...result, streams }, ok, lines[0] ?? "") }),
  };
}

/** R-ENV-15: the streams are told apart only where the command failed. */
function printedBy(
  result: ShellResult & Required<Pick<ShellResult, "streams">>,
  ok: boolean,
  end: string,
): Printed {
  const { output, streams, exitCode, omitted, endedBy } = result;
  const killed = endedBy !== "itself" || exitCode === null;
  const errors = ok ? "" : plainOutput(streams.stderr).trimEnd();
  return {
    stdout: plainOutput(ok ? output : streams.stdout).trimEnd(),
    stderr: killed ? [errors, end].filter((text) => text !== "").join("\n") : errors,
    ...{ exitCode: exitCode ?? 1, truncated: omitted > 0, killed },
  };
}

function endOf({ endedBy, exitCode, signal, durationMs }: ShellResult, seconds: number): string {
  const took = `after ${(durationMs / 1000).toFixed(1)} s`;
  switch (endedBy) {
    case "timeout":
      return `Ended because it took longer than ${seconds} s. Set timeout_seconds if it needs more.`;
    case "stop":
      return `Stopped ${took}, before it had ended.`;
    case "itself":
      return exitCode === null
        ? `Ended by the signal ${signal ?? "?"} ${took}.`
        : `Exit code ${exitCode} ${took}.`;
  }
}
