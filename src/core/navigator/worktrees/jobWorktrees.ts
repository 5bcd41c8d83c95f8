import type { TaskId } from "../../ids.js";
import { visibleLine } from "../../text/visibleText.js";
import type { Words } from "../../text/words.js";
import type { TaskWorktree, TaskWorktrees, LandedTask } from "../../work/taskWorktrees.js";
import { notCarriedText } from "./notCarriedText.js";
import type { PlanWorktrees } from "./planWorktrees.js";

/** Gives each task of a job a worktree of its own, which lands when the task is done. */
export class JobWorktrees implements TaskWorktrees {
  constructor(private readonly plans: PlanWorktrees) {}

  check(): Promise<readonly Words[]> {
    return this.plans.check();
  }

  async open(name: string, about: string): Promise<TaskWorktree> {
    const { plans } = this;
    // A task that is done anew begins with another worktree.
    for (let number = 1; ; number++) {
      const id = `ROO#JOBTASK_${name.replaceAll("-", "_")}_${number}`;
      if (await plans.isOver(id)) continue;
      const used = await plans.use(id);
      try {
        // Somebody may have landed it before it was held.
        if (!(await plans.isOver(id))) {
          await plans.ask(id, about);
          const host = await plans.hostOf(id);
          if (host !== undefined) {
            const land = (session: TaskId) => this.#land(id, session);
            return { host, land, release: () => used.release() };
          }
        }
      } catch (error) {
        await used.release();
        throw error;
      }
      await used.release();
    }
  }

  async #land(id: string, session: TaskId): Promise<LandedTask> {
    for (;;) {
      const landed = await this.plans.landFor(session, id);
      if (landed.type !== "conflicts") {
        const { files, leftOut } = landed;
        const problems = files.flatMap((file) => (file.type === "left" ? [file.problem.code] : []));
        // The user writes in the folder at this moment.
        if (problems.includes("fileChangedSinceLanding")) continue;
        const left = files.flatMap((file) =>
          file.type === "left" ? [`${visibleLine(file.path, 300)}: ${file.problem.message}`] : [],
        );
        return { type: "landed", left: [...left, ...leftOut.map((file) => notCarriedText(file))] };
      }
      const paths = await this.plans.updateFor(id);
      // The user has taken back what was in the way.
      if (paths.length > 0) return { type: "conflicts", paths };
    }
  }
}
