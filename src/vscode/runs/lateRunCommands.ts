import type { RunCommands } from "./runCommands.js";

type Id = keyof RunCommands;
type Command = (argument: unknown) => Promise<void>;

/** The ids of all commands about runs. */
const ids: readonly Id[] = [
  "rooroo.startRun",
  "rooroo.showRun",
  "rooroo.confirmRun",
  "rooroo.changeProposal",
  "rooroo.cancelRun",
  "rooroo.resumeRun",
  "rooroo.retryRun",
  "rooroo.skipRun",
  "rooroo.stopRun",
  "rooroo.reviewRunChanges",
  "rooroo.undoRunPart",
  "rooroo.openRunOutputs",
  "rooroo.openProposal",
  "rooroo.openRunReport",
  "rooroo.openRunTable",
];

/**
 * Returns the commands about runs. Their code is loaded when one of them is called.
 *
 * @param load may be called any number of times
 */
export function lateRunCommands(
  load: () => Promise<Readonly<Record<Id, Command>>>,
): Record<Id, Command> {
  const command =
    (id: Id): Command =>
    async (argument) => {
      await (await load())[id](argument);
    };
  return Object.fromEntries(ids.map((id) => [id, command(id)])) as Record<Id, Command>;
}
