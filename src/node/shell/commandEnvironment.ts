import { delimiter, isAbsolute } from "node:path";
import { isWithin } from "../processes/findProgram.js";

/**
 * Variables that commands must not see: the host's own keys, and those that would make a child process
 * behave as a part of the editor.
 */
const removed =
  /^(OPENAI_(API|ADMIN)_KEY|ANTHROPIC_API_KEY|ROOROO_.*KEY|ROOROO_TEAM_.*|ELECTRON_.+|VSCODE_(?!PORTABLE$|SHELL_).+|FORCE_COLOR|CLICOLOR_FORCE)$/;

/**
 * Git settings that keep every command from running programs which a repository's own files name. There
 * is no such switch for `diff.external`, text converters and filters: their commands have to be given
 * `--no-ext-diff --no-textconv`.
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
 * Returns the environment of a command: the host's without its secrets, set so that nothing waits for a
 * person at a terminal, git runs nothing that a repository brings along, and the bare name of a program
 * never means one in the workspace.
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
    // Disables both the editor's socket, which is not passed on, and any program that a repository
    // names.
    GIT_ASKPASS: "",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    // Otherwise commands that only read would write the index, and that runs a hook.
    GIT_OPTIONAL_LOCKS: "0",
    ...gitConfiguration(environment["GIT_CONFIG_COUNT"]),
    // Windows searches the current folder for a program first.
    ...(process.platform === "win32" ? { NoDefaultCurrentDirectoryInExePath: "1" } : {}),
  };
}

/**
 * Removes the entries of PATH that lead into the workspace or depend on the current folder, as an empty
 * one does. The entries that npm puts in front for its own scripts are added later and not checked.
 */
function safePath(path: string | undefined, workspace: string): string {
  return (path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWithin(folder, workspace))
    .join(delimiter);
}

/** Appends the git settings to those that the environment already gives in this way: the last one counts. */
function gitConfiguration(count = "0"): NodeJS.ProcessEnv {
  const first = /^\d{1,4}$/.test(count) ? Number(count) : 0;
  const result: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(first + gitSettings.length) };
  for (const [index, [key, value]] of gitSettings.entries()) {
    result[`GIT_CONFIG_KEY_${first + index}`] = key;
    result[`GIT_CONFIG_VALUE_${first + index}`] = value;
  }
  return result;
}
