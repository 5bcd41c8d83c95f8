import { env } from "node:process";
import type { Approver } from "../core/approvals/approver.js";
import type { ExpertSettings } from "../core/experts/expertSettings.js";
import type { NavigatorServices } from "../core/navigator/navigatorServices.js";
import type { EditorDocuments } from "../core/ports/editor.js";
import type { Shell } from "../core/ports/shell.js";
import type { Redactor } from "../core/text/redactor.js";
import { ProcessGit } from "../node/git/processGit.js";
import type { GivenServers } from "../node/mcp/mcpTools.js";
import type { InputStore } from "../node/mcp/workspaceServers.js";
import { sandboxPlaces } from "../node/sandbox/sandboxPlaces.js";
import { createSearch } from "../node/search/createSearch.js";
import { TimedPatterns } from "../node/search/timedPatterns.js";
import { BashParser } from "../node/shell/bashParser.js";
import { ProcessShell } from "../node/shell/processShell.js";
import { PermissionFile } from "../node/user/permissionFile.js";
import { UsageFile } from "../node/user/usageFile.js";
import { mcpList } from "../node/user/userFolder.js";
import { userPlaces } from "../node/user/userPlaces.js";
import type { HttpWebOptions } from "../node/web/httpWeb.js";
import { type SearchOptions, SearchService } from "../node/web/searchService.js";
import {
  joinHostTools,
  lazyCharts,
  lazyCommits,
  lazyMcpTools,
  lazyPdf,
  lazyPlanHosts,
  lazyWeb,
} from "./lazy.js";
import { localSnapshots } from "./localChanges.js";
import type { LocalServices } from "./localServices.js";

/** Web access of experts besides public addresses. */
export interface WebSettings extends HttpWebOptions {
  /** The search service. Absent: there is no search. */
  readonly search?: SearchOptions | undefined;
}

/** Options of the services of one workspace. Settings are read at each use. */
export interface ServiceOptions
  extends
    Pick<NavigatorServices, "model" | "modelNamed" | "modelFor" | "works" | "emit">,
    Pick<NavigatorServices, "diagnostics" | "editor" | "hostTools" | "modelsWithoutTools"> {
  /** The workspace folder's absolute path. */
  readonly root: string;
  readonly local: LocalServices & { readonly documents?: EditorDocuments };
  /** The absolute path of the folder for permissions and usage, which lies outside the workspaces. */
  readonly userData: string;
  readonly approver: Approver;
  readonly redactor: Redactor;
  /** Runs commands. Absent: as processes. */
  readonly shell?: Shell;
  readonly settings: () => ExpertSettings;
  readonly web: () => WebSettings;
  /** MCP servers besides those of the user's list. */
  readonly mcpServers?: GivenServers | undefined;
  /** Keeps what the user has entered for the workspace's MCP servers. */
  readonly mcpInputs?: InputStore | undefined;
  /** Ends the MCP servers. Absent: the process's end does. */
  readonly ended?: AbortSignal | undefined;
  /** The folder of VS Code's own files, which has a ripgrep. Absent: ripgrep is only looked for on PATH. */
  readonly editorFolder?: string;
}

/**
 * Creates the services with which Navigator, jobs and runs work in a workspace. The editor and the command line
 * differ only in their options.
 *
 * @returns the services, and `end`, which ends the programs that outlive a call: the MCP servers
 */
export function createServices(
  options: ServiceOptions,
): NavigatorServices & { readonly end: () => Promise<void> } {
  const { root, local, userData, web, editorFolder, mcpServers, mcpInputs, ended, ...given } =
    options;
  const permissionStore = new PermissionFile(userData, root);
  const search = () => createSearch(root, editorFolder);
  const mcp = lazyMcpTools(
    {
      list: mcpList(env),
      given: mcpServers,
      root,
      env,
      workspace: {
        permissions: permissionStore,
        inputs: mcpInputs,
        redactor: given.redactor,
        sandbox: {
          files: local.files,
          places: sandboxPlaces(env, [userData]),
          settings: () => given.settings().sandbox,
        },
      },
    },
    ended,
  );
  return {
    ...given,
    ...local,
    shell: given.shell ?? createProcessShell(root),
    parser: new BashParser(),
    search: {
      matches: (query, signal) => search().matches(query, signal),
      files: (query, signal) => search().files(query, signal),
      ignored: (paths) => search().ignored(paths),
    },
    git: new ProcessGit(root),
    commits: lazyCommits(root),
    patterns: new TimedPatterns(),
    web: lazyWeb(web),
    webSearch: () => {
      const { search: provider } = web();
      return provider && new SearchService(provider);
    },
    charts: lazyCharts(),
    pdf: lazyPdf(),
    serverContent: mcp,
    hostTools: joinHostTools([mcp, ...(given.hostTools ? [given.hostTools] : [])]),
    userPlaces: userPlaces(env),
    permissionStore,
    usageLog: new UsageFile(userData),
    end: mcp.stop,
    snapshots: localSnapshots(root),
    planHosts: lazyPlanHosts({
      root,
      local,
      editorFolder,
      redactor: given.redactor,
      settings: given.settings,
      hidden: [userData],
    }),
  };
}

/**
 * Creates the shell that runs commands as processes, in the sandbox where one is wanted.
 *
 * @param root the workspace folder's absolute path
 * @param hidden absolute paths of further folders that commands cannot see in the sandbox
 */
export function createProcessShell(root: string, hidden: readonly string[] = []): ProcessShell {
  return new ProcessShell(root, { sandbox: sandboxPlaces(env, hidden) });
}
