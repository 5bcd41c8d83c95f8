import { Text } from "./text.js";

/** The slash commands of `@rooroo` in VS Code's chat, and what each does. */
const chatCommands = {
  plan: "Make a plan for something larger, and begin with it",
  do: "Have something done at once",
  ask: "Ask about the project; nothing is changed",
  queue: "Add a task to the head of the queue, and work through the queue",
  proceed: "Work through the queue",
};

export type ChatCommand = keyof typeof chatCommands;

export const chatParticipants = [
  {
    id: "rooroo.navigator",
    name: "rooroo",
    fullName: new Text("participant.name", "Rooroo"),
    description: new Text("participant.description", "Describe a task"),
    isSticky: true,
    commands: Object.entries(chatCommands).map(([name, description]) => ({
      name,
      description: new Text(`participant.${name}`, description),
    })),
  },
];
