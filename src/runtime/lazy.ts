import { existsSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import type { reviewGitConfig, ReviewedGitConfig } from "../core/commands/git/reviewGitConfig.js";
import type { Jobs } from "../core/jobs/jobs.js";
import { lazyObject } from "../core/lazyObject.js";
import type { NavigatorDependencies } from "../core/navigator/navigatorDependencies.js";
import type { PlanHosts } from "../core/navigator/worktrees/planHosts.js";
import { worktreeRecord, worktreesFolder } from "../core/navigator/worktrees/worktreeRecord.js";
import { once } from "../core/once.js";
import type { Charts } from "../core/ports/charts.js";
import type { Commits } from "../core/ports/commits.js";
import type { HostTools } from "../core/ports/editor.js";
import type { PdfReader } from "../core/ports/pdf.js";
import type { ServerContent } from "../core/ports/serverContent.js";
import type { SandboxAbility } from "../core/ports/shell.js";
import type { Web } from "../core/ports/web.js";
import type { Runs, RunsDependencies } from "../core/runs/runs.js";
import { allWorktrees, worktreesOf } from "../node/git/worktreesFolder.js";
import type { McpOptions, McpTools } from "../node/mcp/mcpTools.js";
import { workspaceLists } from "../node/mcp/workspaceLists.js";
import type { ReviewedServers, WorkspaceServersOptions } from "../node/mcp/workspaceServers.js";
import { RandomIds } from "../node/randomIds.js";
import { SystemClock } from "../node/systemClock.js";
import type { HttpWebOptions } from "../node/web/httpWeb.js";
import type { WorktreeOptions } from "./localWorktrees.js";

/** Returns the adapter that draws charts. It is loaded, with its libraries, at the first chart. */
export function lazyCharts(): Charts {
  return lazyObject(async () => {
    const { WorkerCharts } = await import("../node/charts/workerCharts.js");
    return new WorkerCharts();
  });
}

/** Returns the adapter that reads PDFs. It is loaded, with its library, at the first one. */
export function lazyPdf(): PdfReader {
  return lazyObject(async () => {
    const { WorkerPdf } = await import("../node/pdf/workerPdf.js");
    return new WorkerPdf();
  });
}

/**
 * Returns the adapter that makes commits. It is loaded at the first use.
 *
 * @param root the workspace folder's absolute path
 */
export function lazyCommits(root: string): Commits {
  return lazyObject(async () => {
    const { GitCommits } = await import("../node/git/gitCommits.js");
    return new GitCommits(root);
  });
}

/**
 * Returns access to the web. It is loaded, with the Node modules that it needs, at the first request.
 *
 * @param options called for every request, so that a changed setting takes effect at once
 */
export function lazyWeb(options: () => HttpWebOptions): Web {
  return lazyObject(async () => {
    const { HttpWeb } = await import("../node/web/httpWeb.js");
    return new HttpWeb(options);
  });
}

/**
 * Returns the tools, prompts and resources of the MCP servers in the user's list and in the workspace's. The adapter is loaded, with its library, once there is one.
 *
 * @param options `list`: the absolute path of the list
 * @param ended ends the servers
 */
export function lazyMcpTools(
  options: McpOptions,
  ended?: AbortSignal,
): HostTools & ServerContent & { readonly stop: () => Promise<void> } {
  let loaded: McpTools | undefined;
  let hasStopped = ended?.aborted === true;
  const stop = async (): Promise<void> => {
    hasStopped = true;
    await loaded?.stop();
  };
  ended?.addEventListener("abort", () => void stop(), { once: true });
  const isNeeded = () =>
    loaded !== undefined ||
    options.given !== undefined ||
    [options.list, ...workspaceLists.map((path) => join(options.root, path))].some(existsSync);
  const load = once(async () => {
    const { McpTools } = await import("../node/mcp/mcpTools.js");
    loaded = new McpTools(options);
    if (hasStopped) await loaded.stop();
    return loaded;
  });
  return {
    offered: () => loaded?.offered() ?? [],
    ready: async () => (isNeeded() ? (await load()).ready() : []),
    call: async (name, input, signal) => (await load()).call(name, input, signal),
    prompts: async (wanted) => (isNeeded() ? (await load()).prompts(wanted) : []),
    resources: async (wanted) => (isNeeded() ? (await load()).resources(wanted) : []),
    prompt: async (...given) => (await load()).prompt(...given),
    resource: async (...given) => (await load()).resource(...given),
    stop,
  };
}

/** Loads what reads a workspace's lists of MCP servers, and returns the servers for a person to look at. */
export async function loadWorkspaceServers(
  options: WorkspaceServersOptions,
  ability: SandboxAbility,
): Promise<ReviewedServers> {
  const { reviewWorkspaceServers } = await import("../node/mcp/mcpTools.js");
  return reviewWorkspaceServers(options, ability);
}

/** Returns what the configuration of a workspace's repository says, for a person to look at. */
export async function loadGitConfig(
  given: Omit<Parameters<typeof reviewGitConfig>[0], "clock" | "ids">,
): Promise<ReviewedGitConfig> {
  const { reviewGitConfig: review } = await import("../core/commands/git/reviewGitConfig.js");
  return review({ ...given, clock: new SystemClock(), ids: new RandomIds() });
}

/** Returns the tools of several hosts as those of one. Of two tools of one name, only that of the first host is offered. */
export function joinHostTools(hosts: readonly [HostTools, ...HostTools[]]): HostTools {
  return {
    offered: () => {
      const names = new Set<string>();
      return hosts
        .flatMap((host) => host.offered())
        .filter(({ name }) => !names.has(name) && names.add(name));
    },
    ready: async () => {
      const problems = hosts.map((host) => host.ready?.() ?? Promise.resolve([]));
      return (await Promise.all(problems)).flat();
    },
    call: (name, input, signal) => {
      const has = (one: HostTools) => one.offered().some((tool) => tool.name === name);
      const [first, ...others] = hosts;
      return ([first, ...others].find(has) ?? first).call(name, input, signal);
    },
  };
}

/**
 * Returns what says where plans work. It is loaded, with what git needs, when a plan is to have a worktree or there is
 * the record of one.
 */
export function lazyPlanHosts(options: WorktreeOptions): PlanHosts {
  const load = once(async () => {
    const { localWorktrees } = await import("./localWorktrees.js");
    return localWorktrees(options);
  });
  const { files } = options.local;
  return {
    hostOf: async (planId, isolate, tell) => {
      if (!isolate && (await files.stat(worktreeRecord(planId))) === undefined) return undefined;
      const plans = await load();
      if (isolate) await plans.ask(planId, undefined, tell);
      return plans.hostOf(planId);
    },
    forJobs: async () => {
      const { JobWorktrees } = await import("../core/navigator/worktrees/jobWorktrees.js");
      return new JobWorktrees(await load());
    },
    places: async () =>
      (await files.stat(worktreesFolder)) === undefined ? [] : (await load()).places(),
    look: async (planId) => {
      if ((await files.stat(worktreeRecord(planId))) !== undefined)
        await (await load()).look(planId);
    },
    worktrees: load,
    recover: async () => {
      // Without records there can still be worktrees that no plan knows.
      const isNone =
        (await files.stat(worktreesFolder)) === undefined &&
        !existsSync(worktreesOf(options.root, allWorktrees(env)));
      return isNone ? [] : (await load()).recover();
    },
  };
}

/** Loads the code of jobs, and creates the object that runs and lists them. */
export async function loadJobs({
  experts,
  files,
  lock,
  publisher,
  planHosts,
}: NavigatorDependencies): Promise<Jobs> {
  const { Jobs } = await import("../core/jobs/jobs.js");
  return new Jobs({ experts, files, lock, publisher, worktrees: planHosts?.forJobs });
}

/**
 * Loads the code of runs, and creates the object that drives and lists them.
 *
 * @param directory returns the runs' directory in the user's settings; `undefined` or empty: the usual one
 * @param say shows a message of a run to the user
 */
export async function loadRuns(
  { experts, files, lock, publisher }: NavigatorDependencies,
  directory: () => string | undefined,
  say: RunsDependencies["say"],
): Promise<Runs> {
  const [{ Runs }, { findLayout }] = await Promise.all([
    import("../core/runs/runs.js"),
    import("../core/runs/documents/runLayout.js"),
  ]);
  const layout = () => findLayout(files, directory());
  return new Runs({ experts, files, lock, layout, publisher, say });
}
