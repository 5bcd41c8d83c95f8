import { joined } from "../../core/text/joined.js";
import { english, type Translate } from "../../core/text/translator.js";
import { spoken } from "../../core/text/words.js";
import { DiskFileSystem } from "../../node/files/diskFileSystem.js";
import { McpTools } from "../../node/mcp/mcpTools.js";
import { ServerSandbox, type ServerSandboxOptions } from "../../node/mcp/serverSandbox.js";
import { reviewWorkspaceServers } from "../../node/mcp/workspaceServers.js";
import { sandboxPlaces } from "../../node/sandbox/sandboxPlaces.js";
import { PermissionFile } from "../../node/user/permissionFile.js";
import { mcpList, userFolder } from "../../node/user/userFolder.js";
import type { Options } from "../arguments/options.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { sandboxSettings, workspaceRoot } from "../session/settings.js";
import { indented, terminalLine, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";
import { personAllows } from "./personAllows.js";

/**
 * Starts the MCP servers of the user's list, and those of the workspace's that are allowed, and says which tools each has.
 * Fails if one cannot be used.
 */
export async function listMcpServers({ options, terminal }: Cli): Promise<Result<never>> {
  const { env } = process;
  const list = mcpList(env);
  const root = await workspaceRoot(options.workspace);
  const permissions = new PermissionFile(userFolder(env), root);
  const sandbox = sandboxOptions(root, options);
  const tools = new McpTools({ list, root, env, workspace: { permissions, sandbox } });
  const { servers, problems } = await tools.check();
  await tools.stop();
  const { bold, dim } = terminal.style;
  const text = () => {
    if (servers.length + problems.length === 0) {
      return `${t("There are no MCP servers. Name them in {0} (see docs/mcp.md).", terminalText(list))}\n`;
    }
    const blocks = servers.map(({ name, tools: named, problem }) => {
      const first = `${bold(name)}  ${problem === undefined ? t("{0, plural, one {# tool} other {# tools}}", named.length) : t("cannot be used")}\n`;
      const rest =
        problem === undefined
          ? named.map(
              (tool) =>
                `  ${terminalLine(tool.name, 80)}  ${dim(terminalLine(tool.description, 100))}\n`,
            )
          : [`  ${terminalLine(spoken(problem, t), 1_000)}\n`];
      return first + rest.join("");
    });
    return [
      ...problems.map((problem) => `${terminalLine(spoken(problem, t), 1_000)}\n`),
      ...blocks,
    ].join("");
  };
  const isWhole = problems.length === 0 && servers.every(({ problem }) => problem === undefined);
  const json = () => ({
    list,
    problems,
    servers: servers.map(({ name, tools: named, problem }) => ({
      name,
      tools: named.map((tool) => tool.name),
      ...(problem === undefined ? {} : { problem }),
    })),
  });
  return { end: isWhole ? "done" : "failed", json, text };
}

/**
 * Shows what a server of the workspace's lists would do, and stores that the user allows it: by an answer at the terminal,
 * or as they have said in the command line. Throws {@link WrongUse} for an unknown server.
 *
 * @param said `yes`: they allow it in the sandbox; `outside`: where there is none, too
 */
export async function allowMcpServer(
  name: string,
  said: { readonly yes: boolean; readonly outside: boolean },
  { options, terminal, input }: Cli,
): Promise<Result<"waiting">> {
  const { env } = process;
  const root = await workspaceRoot(options.workspace);
  const permissions = new PermissionFile(userFolder(env), root);
  const ability = await new ServerSandbox({ ...sandboxOptions(root, options), root }).ability();
  const { servers, problems } = await reviewWorkspaceServers({ root, env, permissions }, ability);
  const server = servers.find((one) => one.name === name);
  if (server === undefined) {
    throw new WrongUse(
      "mcpServerUnknown",
      "No list of the workspace names an MCP server {name}. Check the name. {problems}",
      { name: JSON.stringify(name), problems: joined(...problems.flatMap((one) => [one, " "])) },
    );
  }
  const { description, isAllowed, outside } = server;
  const inWords = (inLanguage: Translate) =>
    description.map((line) => spoken(line, inLanguage)).join("\n");
  const shown = `${indented(terminalText(inWords(t)))}\n`;
  if (isAllowed) return result("allowed", `${shown}${t("It is allowed.")}\n`);
  if (!said.yes) terminal.printError(shown);
  const agreed = said.yes
    ? !outside || said.outside
    : await personAllows({ terminal, input }, outside);
  if (!agreed) {
    const how = outside ? "--yes --without-sandbox" : "--yes";
    const text = `${t("It is not allowed. To allow it: {0}", `rooroo mcp allow ${name} ${how}`)}\n`;
    return result("notAllowed", said.yes ? shown + text : text);
  }
  await server.allow();
  return result("allowed", `${said.yes ? shown : ""}${t("It is allowed until it changes.")}\n`);

  function result(state: string, text: string): Result<"waiting"> {
    return {
      end: state === "allowed" ? "done" : "waiting",
      json: () => ({ server: name, state, description: inWords(english) }),
      text: () => text,
    };
  }
}

function sandboxOptions(root: string, options: Options): Omit<ServerSandboxOptions, "root"> {
  const settings = sandboxSettings(options, process.env);
  return {
    files: new DiskFileSystem(root),
    places: sandboxPlaces(process.env),
    settings: () => settings,
  };
}
