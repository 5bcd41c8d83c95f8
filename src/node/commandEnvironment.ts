/** Keys of the host's own, and what would make a command's child behave as a part of the editor. */
const removed =
  /^(OPENAI_(API|ADMIN)_KEY|ROOROO_.*KEY|ELECTRON_.+|VSCODE_(?!PORTABLE$|SHELL_).+|FORCE_COLOR|CLICOLOR_FORCE)$/;

/**
 * What a command sees: the host's environment without its secrets, and set so that nothing waits
 * for somebody at a terminal.
 *
 * @param secrets names of further variables to leave out
 */
export function commandEnvironment(
  environment: NodeJS.ProcessEnv,
  secrets: readonly string[] = [],
): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !removed.test(name) && !secrets.includes(name),
  );
  const result: NodeJS.ProcessEnv = {
    ...Object.fromEntries(kept),
    TERM: "dumb",
    NO_COLOR: "1",
    PAGER: "cat",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
  };
  // Asks through the editor's socket, whose address was just taken away.
  if (environment["VSCODE_GIT_ASKPASS_MAIN"] !== undefined) delete result["GIT_ASKPASS"];
  return result;
}
