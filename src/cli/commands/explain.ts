import { IgnoredFiles } from "../../core/access/ignoredFiles.js";
import { WorkspaceGuard } from "../../core/access/locatedPath.js";
import { acceptsGit } from "../../core/approvals/permissions.js";
import { decide, type Policy } from "../../core/approvals/policy.js";
import { reviewCommand } from "../../core/commands/reviewCommand.js";
import type { Shell } from "../../core/ports/shell.js";
import { allSpoken } from "../../core/text/allSpoken.js";
import { translatable } from "../../core/text/translator.js";
import { spoken } from "../../core/text/words.js";
import { ProcessGit } from "../../node/git/processGit.js";
import { sandboxPlaces } from "../../node/sandbox/sandboxPlaces.js";
import { BashParser } from "../../node/shell/bashParser.js";
import { ProcessShell } from "../../node/shell/processShell.js";
import { PermissionFile } from "../../node/user/permissionFile.js";
import { userFolder } from "../../node/user/userFolder.js";
import { localServices } from "../../runtime/localServices.js";
import type { Options } from "../arguments/options.js";
import { displayWidth, padded } from "../language/displayWidth.js";
import { t } from "../language/language.js";
import { commandRules, sandboxSettings, workspaceRoot } from "../session/settings.js";
import { terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

const heads = {
  allow: translatable("Under “{0}” it runs without asking: {1}"),
  ask: translatable("Under “{0}” it requires approval: {1}"),
  deny: translatable("Under “{0}” it never runs: {1}"),
};

/** What a row of the output is about: a command's verdict, or a file. */
const labels = {
  reads: translatable("reads"),
  allowed: translatable("allowed"),
  asks: translatable("asks"),
  denied: translatable("denied"),
  writes: translatable("writes"),
  runs: translatable("runs"),
} as const;

/** Shows the decision on a command line, and for each program in it the verdict and its reason. */
export async function explain(line: string, { options }: Cli): Promise<Result<never>> {
  const root = await workspaceRoot(options.workspace);
  const { files } = localServices(root, "rooroo explain");
  const rules = commandRules(options);
  const hidden = new IgnoredFiles(files);
  const isHidden = await hidden.read();
  const guard = new WorkspaceGuard(files, hidden);
  const services = {
    files,
    rules,
    parser: new BashParser(),
    isHidden: (path: string) => isHidden(path) !== undefined,
    acceptsGit: acceptsGit(new PermissionFile(userFolder(process.env), root)),
    protection: async (path: string) => (await guard.locate(path)).protection,
    history: () => new ProcessGit(root).history(),
  };
  const { facts, pinned } = await reviewCommand(line, "", services);
  const decision = decide(
    {
      access: "command",
      title: line,
      command: line,
      path: "",
      inside: true,
      facts,
      pinned,
      preview: { kind: "command", text: line },
    },
    { ...options.approve, ...(await sandboxOf(root, options)), deniesSome: rules.deny.length > 0 },
    false,
  );
  const text = () => {
    const rows = [
      ...facts.commands.map(({ words: own, verdict, why }) => {
        return { label: t(labels[verdict]), lines: [own.join(" "), spoken(why, t)] };
      }),
      ...facts.writes.map((path) => ({ label: t(labels.writes), lines: [path || "."] })),
      ...pinned.map(({ path }) => {
        return { label: t(labels.runs), lines: [t("{0}, as it is now", path)] };
      }),
    ];
    const width = Math.max(...Object.values(labels).map((label) => displayWidth(t(label))));
    const shown = rows.flatMap(({ label, lines }) =>
      lines.map((line, index) => `  ${padded(index === 0 ? label : "", width)}  ${line}`),
    );
    const head = t(heads[decision.type], options.approve.text, spoken(decision.why, t));
    return `${terminalText([head, ...shown].join("\n"))}\n`;
  };
  const json = () => ({
    command: line,
    decision: allSpoken(decision),
    ...allSpoken(facts),
    pinned,
  });
  return { end: "done", json, text };
}

/** Returns the sandbox in which the command would run; empty if there is none. */
async function sandboxOf(root: string, options: Options): Promise<Pick<Policy, "sandbox">> {
  const { enabled, allowedHosts: hosts } = sandboxSettings(options, process.env);
  const shell: Shell = new ProcessShell(root, { sandbox: sandboxPlaces(process.env) });
  const ability = enabled === "off" ? undefined : await shell.sandbox?.();
  return ability?.available === true ? { sandbox: { hosts } } : {};
}
