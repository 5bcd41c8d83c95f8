import * as vscode from "vscode";
import { type Said, spoken } from "../../core/text/words.js";
import { t } from "../text/words.js";

/** A value that a server needs. */
interface AskedInput {
  readonly input: {
    readonly id: string;
    readonly description: string;
    readonly password: boolean;
    readonly default?: string | undefined;
    /** The values of which one is picked. */
    readonly options?: readonly string[] | undefined;
  };
  readonly hasValue: boolean;
  /** Keeps the value. */
  readonly keep: (value: string) => Promise<void>;
}

/** A server that the workspace names, as a person looks at it. */
export interface ReviewedServer {
  readonly name: string;
  /** The list that names it, as in `.roo/mcp.json`. */
  readonly from: string;
  readonly isAllowed: boolean;
  /** All that it would do, in lines. */
  readonly description: readonly Said[];
  /** Whether its process would run without a sandbox. */
  readonly outside: boolean;
  /** What the user has to enter for it. */
  readonly inputs: readonly AskedInput[];
  /** Stores that the person allows it, until it changes. */
  readonly allow: () => Promise<void>;
}

/** Shows the MCP servers that the workspace names, and allows the one that the user has looked at and wants. */
export async function reviewMcpServers({
  servers,
  problems,
}: {
  readonly servers: readonly ReviewedServer[];
  readonly problems: readonly Said[];
}): Promise<void> {
  if (servers.length === 0) {
    const none = t("This workspace names no MCP servers in .roo/mcp.json or .vscode/mcp.json.");
    void vscode.window.showInformationMessage(
      [...problems.map((one) => spoken(one, t)), none].join(" "),
    );
    return;
  }
  const items = servers.map((server) => ({
    label: server.name,
    description: server.from,
    detail: server.isAllowed ? t("Allowed") : t("Not used until you allow it"),
    server,
  }));
  const title = t("MCP Servers of This Workspace");
  const picked = await vscode.window.showQuickPick(items, { title });
  if (picked === undefined) return;
  const { name, isAllowed, outside, inputs, allow } = picked.server;
  const description = picked.server.description.map((line) => spoken(line, t)).join("\n");
  if (isAllowed) {
    const detail = `${description}\n\n${t("Take it back with “Rooroo: Manage Approvals…”.")}`;
    const again = inputs.length === 0 ? [] : [t("Enter Inputs…")];
    const allowed = t("{0} is allowed.", name);
    const options = { modal: true, detail };
    const answer = await vscode.window.showInformationMessage(allowed, options, ...again);
    if (answer !== undefined) await enter(name, inputs);
    return;
  }
  const yes = outside ? t("Allow Without Sandbox") : t("Allow Until It Changes");
  const question = t("Allow the MCP server {0} of this workspace?", name);
  const options = { modal: true, detail: description };
  if ((await vscode.window.showWarningMessage(question, options, yes)) !== yes) return;
  const missing = inputs.filter(({ hasValue }) => !hasValue);
  if (await enter(name, missing)) await allow();
}

/** Asks for values, and keeps them once all are there. Resolves with whether the user has entered all of them. */
async function enter(server: string, inputs: readonly AskedInput[]): Promise<boolean> {
  const values: string[] = [];
  for (const { input } of inputs) {
    const { description, password, options, default: value = "" } = input;
    const place = {
      title: t("{0}: Input {1}", server, input.id),
      ignoreFocusOut: true,
    };
    const entered =
      options === undefined
        ? await vscode.window.showInputBox({ ...place, prompt: description, password, value })
        : await vscode.window.showQuickPick(options, { ...place, placeHolder: description });
    if (entered === undefined) return false;
    values.push(entered);
  }
  for (const [index, { keep }] of inputs.entries()) await keep(values[index] ?? "");
  return true;
}
