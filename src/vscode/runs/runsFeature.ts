import type { Clock } from "../../core/ports/system.js";
import type { RequestedRun } from "../../core/work/requestedWork.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import type { Settings } from "../settings/settings.js";
import { t } from "../text/words.js";
import type { Notices } from "../work/notices.js";
import type { RowPages } from "../work/row.js";
import type { WaitingSource } from "../work/waiting.js";
import { WorkFeature } from "../work/workFeature.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { ResumeStore } from "../workspace/resumeStore.js";
import type { RunCommandSurroundings } from "./runCommands.js";
import type { RunList } from "./runList.js";

interface RunsFeatureOptions {
  readonly list: RunList;
  readonly workspace: CurrentWorkspace;
  readonly settings: Settings;
  readonly waiting: WaitingSource;
  readonly resumeStore: ResumeStore;
  readonly places: () => Promise<ConversationPlaces>;
  readonly notices: Notices;
  readonly pages: RowPages;
  readonly clock: Clock;
}

export type RunsFeature = WorkFeature<RunList["overview"], RequestedRun, RunCommandSurroundings>;

/** Returns the runs in a window. Most workspaces have none, and then nothing more is loaded. */
export function runsFeature(options: RunsFeatureOptions): RunsFeature {
  const { list, waiting, settings, pages, clock } = options;
  const feature: RunsFeature = new WorkFeature({
    ...options,
    kind: "run",
    rows: {
      hasRows: ({ runs, problems }) => runs.length + problems.length > 0,
      load: async () => {
        const [{ runRows }] = await Promise.all([import("./runRows.js"), feature.controller()]);
        return (overview) => {
          const asking = new Set(waiting.waiting("run").map(({ name }) => name));
          return runRows(overview, asking, { now: clock.now().getTime(), t, paging: pages });
        };
      },
    },
    load: async ({ rows }) => {
      const { RunDriver } = await import("./runDriver.js");
      const driver = new RunDriver({
        ...options,
        tree: rows.tree,
        places: await options.places(),
      });
      // What the list already has must come to the documents and the cards, too.
      list.refresh();
      return driver;
    },
    // They may say where the runs are.
    also: [settings.onDidChange(list.refresh)],
  });
  return feature;
}
