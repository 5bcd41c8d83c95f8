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
    description: "Add a developer task to the front of the queue, and run it",
  },
  { text: "/ask ", description: "Ask a question about the code" },
  { text: "/expert ", description: "Give a task to one expert: its name, then the task" },
  {
    text: "/run ",
    description: "Start a run, which writes documents in phases from your material",
  },
  { text: "/job ", description: "Run a job by name, or create one: its name, then its goal" },
  { text: "/brainstorm ", description: "Brainstorm with the idea sparker" },
  { text: "proceed", description: "Run the queue" },
];

/** Returns the commands that the typed text could become; none once it is more than a command. */
export function slashCommands(typed: string): readonly SlashCommand[] {
  if (!typed.startsWith("/")) return [];
  const wanted = typed.slice(1).toLowerCase();
  return commands.filter(
    ({ text }) => text !== typed && text.replace(/^\//, "").startsWith(wanted),
  );
}
