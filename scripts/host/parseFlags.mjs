/**
 * Reads what an ordinary VS Code command line asks for, as far as a test run needs it; other flags
 * (`--no-sandbox`, `--disable-updates` …) mean nothing here and are passed over.
 *
 * @param {readonly string[]} args
 */
export function parseFlags(args) {
  const flags = {
    /** @type {string[]} */ extensionDevelopmentPath: [],
    /** @type {string | undefined} */ extensionTestsPath: undefined,
    /** @type {string | undefined} */ userDataDir: undefined,
    /** @type {string | undefined} */ folder: undefined,
    trusted: false,
  };
  for (const arg of args) {
    const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (name === undefined) flags.folder ??= arg;
    else if (name === "disable-workspace-trust") flags.trusted = true;
    else if (value === undefined) continue;
    else if (name === "extensionDevelopmentPath") flags.extensionDevelopmentPath.push(value);
    else if (name === "extensionTestsPath") flags.extensionTestsPath = value;
    else if (name === "user-data-dir") flags.userDataDir = value;
  }
  return flags;
}
