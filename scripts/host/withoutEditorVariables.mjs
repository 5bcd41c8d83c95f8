/**
 * The environment without what a VS Code tells the programs in its terminals: one that we start
 * from there must not be taken for a part of it.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutEditorVariables(env) {
  const own = Object.entries(env).filter(([name]) => !/^(VSCODE|ELECTRON)_/.test(name));
  return Object.fromEntries(own);
}
