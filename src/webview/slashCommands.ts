export interface SlashCommand {
  /** The text that is put into the input. */
  readonly text: string;
  readonly description: string;
}

const commands: readonly SlashCommand[] = [
  { text: "/plan ", description: "Let the planner break a goal down into tasks" },
  { text: "/do ", description: "Let the developer do it now" },
  {
    text: "/queue ",
    description: "Put a task for the developer at the head of the queue, and run it",
  },
  { text: "/ask ", description: "Get a question about the code answered" },
  { text: "/run ", description: "Have documents written in phases, from your material" },
  { text: "/job ", description: "Run a job by its name, or create one: a name, then its goal" },
  { text: "/brainstorm ", description: "Think something over with the idea sparker" },
  { text: "proceed", description: "Run what is queued" },
];

/** Returns the commands that the typed text could become; none once it is more than a command. */
export function slashCommands(typed: string): readonly SlashCommand[] {
  if (!typed.startsWith("/")) return [];
  const wanted = typed.slice(1).toLowerCase();
  return commands.filter(
    ({ text }) => text !== typed && text.replace(/^\//, "").startsWith(wanted),
  );
}
