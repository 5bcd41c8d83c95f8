import * as z from "zod";
import type { CommandFacts } from "../../agent/commandFacts.js";
import type { Printed, Tool, ToolResult } from "../../agent/tool.js";
import type { Patterns } from "../../ports/search.js";
import type { Shell } from "../../ports/shell.js";
import { executeCommand } from "../../tools/commands/executeCommand.js";
import { withoutHiddenFolders } from "./hiddenFolder.js";

const defaultSeconds = 60;

const parameters = z.object({
  run: z.string().trim().min(1),
  cwd: z.string(),
  timeout_sec: z.number().optional(),
  filter_regex: z.string().optional(),
  tail_lines: z.number().optional(),
});
type Arguments = z.infer<typeof parameters>;

/**
 * R-ENV-15: Runs `execute_command` with this protocol's defaults and narrows the output for the model.
 * The machine's own shell runs the command, whichever shell the envelope names.
 *
 * @param asked returns what the user said, in which they may ask for hidden folders
 */
export function shellCommand(patterns: Patterns, asked: () => string): Tool<Arguments> {
  return {
    kind: "action",
    name: "shell",
    description: "Run a command line.",
    parameters,
    access: "command",
    title: ({ run, cwd }) => executeCommand.title({ command: run, cwd }),

    async prepare(args, context) {
      const { run, cwd, timeout_sec } = args;
      let facts: CommandFacts | undefined;
      const prepared = await executeCommand.prepare(
        { command: run, cwd, timeout_seconds: timeout_sec ?? defaultSeconds },
        {
          ...context,
          shell: withSeparateStreams(context.shell),
          commandFields: { timeout: "timeout_sec" },
          // The protocol's commands have no field to ask to leave the sandbox.
          ...(context.sandbox && {
            sandbox: {
              ...withoutHiddenFolders(context.sandbox, asked, () => facts),
              canAskToLeave: false,
            },
          }),
        },
      );
      if ("ok" in prepared) return prepared;
      if (prepared.action?.access === "command" && "facts" in prepared.action) {
        ({ facts } = prepared.action);
      }
      return {
        ...prepared,
        run: async (granted) => narrowed(await prepared.run(granted), args, patterns),
      };
    },
  };
}

function withSeparateStreams(shell: Shell): Shell {
  return {
    description: shell.description,
    endOrphaned: () => shell.endOrphaned(),
    run: (request, signal) => shell.run({ ...request, separateStreams: true }, signal),
  };
}

/** Filters the output, then cuts it to its last lines. The card still shows all of it. */
function narrowed(result: ToolResult, args: Arguments, patterns: Patterns): ToolResult {
  if (result.printed === undefined) return result;
  const out = narrow(result.printed.stdout, args, patterns);
  const err = narrow(result.printed.stderr, args, patterns);
  const printed: Printed = {
    ...result.printed,
    stdout: out.text,
    stderr: err.text,
    truncated: result.printed.truncated || out.cut || err.cut,
  };
  return { ...result, printed };
}

function narrow(
  text: string,
  { filter_regex, tail_lines }: Arguments,
  patterns: Patterns,
): { text: string; cut: boolean } {
  const lines = matching(text.split("\n"), filter_regex, patterns);
  const kept = tail_lines === undefined ? lines : lines.slice(-tail_lines);
  return { text: kept.join("\n"), cut: kept.length < lines.length };
}

/** Returns the lines that match; all lines when there is no expression or it cannot be used. */
function matching(
  lines: readonly string[],
  source: string | undefined,
  patterns: Patterns,
): readonly string[] {
  if (source === undefined || source === "") return lines;
  try {
    const found = patterns.find({ source, flags: "i" }, lines, Infinity);
    const wanted = new Set(found.map(({ text }) => text));
    return lines.filter((_line, index) => wanted.has(index));
  } catch {
    return lines;
  }
}
