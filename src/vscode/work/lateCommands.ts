type Command = (argument: unknown, more?: unknown) => Promise<void>;

/**
 * Returns commands whose code is loaded when one of them is called.
 *
 * @param load may be called any number of times
 */
export function lateCommands<Id extends string>(
  ids: readonly Id[],
  load: () => Promise<Readonly<Record<Id, Command>>>,
): Record<Id, Command> {
  const command =
    (id: Id): Command =>
    async (argument, more) => {
      await (await load())[id](argument, more);
    };
  return Object.fromEntries(ids.map((id) => [id, command(id)])) as Record<Id, Command>;
}
