import { delimiter, isAbsolute } from "node:path";
import { isWithin } from "./findProgram.js";

/** Keys of the host's own, and what would make a command's child behave as a part of the editor. */
const removed =
  /^(OPENAI_(API|ADMIN)_KEY|ROOROO_.*KEY|ELECTRON_.+|VSCODE_(?!PORTABLE$|SHELL_).+|FORCE_COLOR|CLICOLOR_FORCE)$/;

/**
 * What git would run because a repository's own files say so, turned off for everything that a
 * command runs. There is no such switch for `diff.external`, text converters and filters: their
 * commands have to be given `--no-ext-diff --no-textconv`.
 */
const gitSettings: readonly (readonly [key: string, value: string])[] = [
  ["core.fsmonitor", "false"],
  ["safe.bareRepository", "explicit"],
  ["log.showSignature", "false"],
];

interface EnvironmentOptions {
  /** Names of further variables to leave out. */
  readonly secrets?: readonly string[];
  /** The workspace folder's absolute path. */
  readonly workspace: string;
}

/**
 * What a command sees: the host's environment without its secrets; set so that nothing waits for
 * somebody at a terminal, git runs nothing that a repository brings along, and the bare name of a
 * program is never one in the workspace.
 */
export function commandEnvironment(
  environment: NodeJS.ProcessEnv,
  { secrets = [], workspace }: EnvironmentOptions,
): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !removed.test(name) && !secrets.includes(name),
  );
  return {
    ...Object.fromEntries(
      kept.map(([name, value]) => [
        name,
        /^path$/i.test(name) ? safePath(value, workspace) : value,
      ]),
    ),
    TERM: "dumb",
    NO_COLOR: "1",
    PAGER: "cat",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    // Neither the editor's socket, which is not handed on, nor a program that a repository names.
    GIT_ASKPASS: "",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    // Looking would write the index, and that runs a hook.
    GIT_OPTIONAL_LOCKS: "0",
    ...gitConfiguration(environment["GIT_CONFIG_COUNT"]),
    // Windows looks in the current folder first.
    ...(process.platform === "win32" ? { NoDefaultCurrentDirectoryInExePath: "1" } : {}),
  };
}

/**
 * Without entries that lead into the workspace or depend on the current folder, as an empty one
 * does. What npm puts in front for its own scripts comes later and is npm's business.
 */
function safePath(path: string | undefined, workspace: string): string {
  return (path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWithin(folder, workspace))
    .join(delimiter);
}

/** After the settings that somebody has given in the same way: the last one counts. */
function gitConfiguration(count = "0"): NodeJS.ProcessEnv {
  const first = /^\d{1,4}$/.test(count) ? Number(count) : 0;
  const result: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(first + gitSettings.length) };
  for (const [index, [key, value]] of gitSettings.entries()) {
    result[`GIT_CONFIG_KEY_${first + index}`] = key;
    result[`GIT_CONFIG_VALUE_${first + index}`] = value;
  }
  return result;
}
