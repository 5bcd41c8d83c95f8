import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** A setting of git's, as in `core.fsmonitor` and `false`. */
export type GitSetting = readonly [key: string, value: string];

/**
 * Settings by which git runs none of the programs that a repository can name under a fixed key, wherever that is set:
 * in its own configuration, a worktree's, or a file that one of these includes.
 */
export const programsOff: readonly GitSetting[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.alternateRefsCommand", "true"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["push.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  // Repositories inside of this one have settings of their own.
  ["submodule.recurse", "false"],
  ["diff.submodule", "short"],
  ["status.submoduleSummary", "false"],
];

/** The same for what is run only to reach another machine, for commands that reach none. */
export const networkOff: readonly GitSetting[] = [
  ["core.sshCommand", "false"],
  ["credential.helper", ""],
];

/**
 * Variables by which git reaches no other repository, also for objects that a partial clone is without. Of several
 * `core.gitProxy` the first counts, so that a setting of ours would come too late: the variable counts before them.
 */
export const offline = {
  GIT_ALLOW_PROTOCOL: "",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PROXY_COMMAND: "",
} as const;

/** The ends of keys in the section `lfs` that name no program. */
const plainLfs = /\.(repositoryformatversion|url|access|locksverify|fetchinclude|fetchexclude)$/;

/** The arguments by which `git config` lists filters, merge drivers and hooks (git 2.54), for {@link driversOff}. */
export const listDrivers: readonly string[] = [
  "config",
  "-z",
  "--show-scope",
  "--get-regexp",
  "^((filter|merge)\\..*\\.(clean|smudge|process|required|driver)|hook\\..*\\.(command|event)|lfs\\..*)$",
];

/** The arguments by which `git config` lists programs that git runs to reach another machine, for {@link programsToReach}. */
export const listProgramsToReach: readonly string[] = [
  "config",
  "-z",
  "--show-scope",
  "--get-regexp",
  "^(core\\.(sshcommand|askpass)|credential\\.(.*\\.)?helper)$",
];

/**
 * Returns the keys by which a repository's own configuration names programs to reach another machine.
 *
 * @param listed what {@link listProgramsToReach} has printed
 */
export function programsToReach(listed: string): string[] {
  const fields = listed.split("\0");
  const keys = fields.flatMap((scope, at) => {
    const [key = "", value] = (fields[at + 1] ?? "").split("\n", 2);
    // An empty value takes back what was named before it.
    return at % 2 === 0 && /^(local|worktree)$/.test(scope) && value !== "" ? [key] : [];
  });
  return [...new Set(keys)];
}

/**
 * Returns the settings by which git runs none of the filters, merge drivers and hooks that are set.
 *
 * @param listed what {@link listDrivers} has printed
 * @param whose `repository`: the user's own stay, such as those of Git LFS, unless the repository names programs for these
 *   to run; `all`: git reads and writes content as it is
 */
export function driversOff(listed: string, whose: "repository" | "all"): GitSetting[] {
  const own = new Map<string, string>();
  const off = new Set<string>();
  let isMisled = false;
  const fields = listed.split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = "", entry = ""] = fields.slice(at, at + 2);
    const end = entry.indexOf("\n");
    const key = end < 0 ? entry : entry.slice(0, end);
    const hook = /^(hook\..*)\.(?:command|event)$/s.exec(key)?.[1];
    const isUsers = scope === "system" || scope === "global";
    // A key without a value stands for true.
    // `core.hooksPath` does not reach these, and no hook of a person's runs for code of ours either.
    if (hook !== undefined) off.add(`${hook}.enabled`);
    else if (key.startsWith("lfs.")) isMisled ||= !isUsers && !plainLfs.test(key);
    else if (isUsers && whose === "repository")
      own.set(key, end < 0 ? "true" : entry.slice(end + 1));
    else off.add(key);
  }
  if (isMisled) for (const key of own.keys()) off.add(key);
  return [...off].map((key) => {
    // Without a driver that succeeds, git reports a conflict, and a person decides.
    const none = /\.(driver|required|enabled)$/.test(key) ? "false" : "";
    return [key, (isMisled ? undefined : own.get(key)) ?? none];
  });
}

/**
 * Returns the folder of the repository's files, in which git looks for `.git` from a folder on upwards. Git takes it for that
 * whatever `core.worktree` says if it is given as `GIT_WORK_TREE`, and still checks whose the repository is.
 */
export function repositoryTop(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryTop(parent);
}

/** Returns settings as arguments in front of a command's name. */
export function asArguments(settings: readonly GitSetting[]): string[] {
  return settings.flatMap(([key, value]) => ["-c", `${key}=${value}`]);
}

/** Returns the variables that add settings to those which the environment gives: a name may contain any character. */
export function withSettings(
  given: NodeJS.ProcessEnv,
  settings: readonly GitSetting[],
): NodeJS.ProcessEnv {
  const first = Number(given["GIT_CONFIG_COUNT"] ?? 0);
  const added: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(first + settings.length) };
  for (const [index, [key, value]] of settings.entries()) {
    added[`GIT_CONFIG_KEY_${first + index}`] = key;
    added[`GIT_CONFIG_VALUE_${first + index}`] = value;
  }
  return added;
}
