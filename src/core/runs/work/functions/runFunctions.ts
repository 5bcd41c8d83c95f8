import * as z from "zod";
import type { AnyTool, Tool } from "../../../agent/tool.js";
import { executeCommand, outsideParameter } from "../../../tools/commands/executeCommand.js";
import { drawChart } from "../../../tools/drawChart.js";
import { writeToFile } from "../../../tools/editing/writeToFile.js";
import { listFiles } from "../../../tools/reading/listFiles.js";
import { readFile } from "../../../tools/reading/readFile.js";
import { searchFiles } from "../../../tools/reading/searchFiles.js";
import { webSearch } from "../../../tools/web/webSearch.js";
import { createDirectory } from "./createDirectory.js";
import { globFunction } from "./globFunction.js";
import { readManyFiles } from "./readManyFiles.js";
import { renamed } from "./renamed.js";
import { replaceFunction } from "./replaceFunction.js";
import { webFetchFunction } from "./webFetchFunction.js";

const listDirectory = renamed(listFiles, {
  name: "list_directory",
  description: "List a directory; `.` is the workspace.",
  parameters: z.object({ path: z.string() }),
  own: ({ path }) => ({ path, recursive: false }),
});

const readOne = renamed(readFile, {
  name: "read_file",
  parameters: readFile.parameters,
  own: (args) => args,
});

const searchFileContent = renamed(searchFiles, {
  name: "search_file_content",
  parameters: z.object({
    pattern: z.string().min(1),
    path: z.string().nullish(),
    include: z.string().nullish().describe("Glob, as *.md"),
  }),
  own: ({ pattern, path, include }) => ({
    regex: pattern,
    path: path ?? "",
    file_pattern: include,
  }),
});

const writeFile = renamed(writeToFile, {
  name: "write_file",
  description: "Create a file or replace all of it. Makes folders.",
  parameters: writeToFile.parameters,
  own: (args) => args,
});

const commandParameters = z.object({
  command: z.string().trim().min(1),
  directory: z.string().nullish(),
  timeout_seconds: z.number().positive().nullish(),
});

const runShellCommand = {
  ...renamed(executeCommand, {
    name: "run_shell_command",
    description: "Run a shell command. It gets no input.",
    parameters: commandParameters,
    own: ({ directory, ...args }) => ({ ...args, cwd: directory }),
  }),
  inSandbox: renamed(executeCommand, {
    name: "run_shell_command",
    description:
      "Run a shell command. It gets no input. Unless the user is asked, it runs in a sandbox, where the network can be closed and protected files stay as they are.",
    parameters: commandParameters.extend({ outside: outsideParameter }),
    own: ({ directory, ...args }) => ({ ...args, cwd: directory }),
  }),
};

const googleWebSearch = renamed(webSearch, {
  name: "google_web_search",
  parameters: webSearch.parameters,
  own: (args) => args,
});

/** R-MV-32: the functions of agents of runs, built on the tools of all experts. */
export const runFunctions: readonly AnyTool[] = [
  anyTool(listDirectory),
  anyTool(readOne),
  anyTool(readManyFiles),
  anyTool(globFunction),
  anyTool(searchFileContent),
  anyTool(writeFile),
  anyTool(replaceFunction),
  anyTool(createDirectory),
  anyTool(runShellCommand),
  anyTool(googleWebSearch),
  anyTool(webFetchFunction),
  anyTool(drawChart),
];

function anyTool<Arguments>(tool: Tool<Arguments>): AnyTool {
  return tool as unknown as AnyTool;
}
