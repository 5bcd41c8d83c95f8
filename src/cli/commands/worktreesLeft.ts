import { EventPublisher } from "../../core/conversation/events/eventPublisher.js";
import { tellWorktrees } from "../../core/navigator/worktrees/tellWorktrees.js";
import { lazyPlanHosts } from "../../runtime/lazy.js";
import { localServices } from "../../runtime/localServices.js";
import { workspaceRoot } from "../session/settings.js";
import { FollowUps } from "../terminal/followUps.js";
import { HumanView } from "../terminal/humanView.js";
import { terminalJson } from "../terminal/terminalText.js";
import type { Cli } from "./command.js";

/**
 * Tells, for a command without a Navigator that would, what interrupted landings and left worktrees there are.
 *
 * @param plan the plan, or the end of its id, that the command is about: it says what is to be said of that
 */
export async function tellWorktreesLeft(plan: unknown, { options, terminal }: Cli): Promise<void> {
  const root = await workspaceRoot(options.workspace);
  const local = localServices(root, "rooroo plan");
  const { clock, ids } = local;
  const { redactor } = terminal;
  const view = new HumanView(terminal, new FollowUps(options), false);
  const publisher = new EventPublisher(
    clock,
    ids,
    (event) => {
      if (options.json) terminal.printError(`${terminalJson(event)}\n`);
      else view.show(event);
    },
    redactor,
  );
  const own = typeof plan === "string" && plan !== "" ? plan.toUpperCase() : undefined;
  await tellWorktrees(
    lazyPlanHosts({ root, local, redactor }),
    publisher,
    (about) => own === undefined || !about.toUpperCase().endsWith(own),
  );
}
