import { Text } from "./text.js";

/** The tools that we give to other agents in VS Code. */
export const languageModelTools = [
  {
    name: "rooroo_add_task",
    displayName: new Text("tool.addTask", "Add Task to Rooroo's Queue"),
    userDescription: new Text(
      "tool.addTask.description",
      "Add a task to Rooroo's queue, after you have confirmed it",
    ),
    modelDescription:
      "Adds a task to the end of Rooroo's task queue in the user's workspace. The user is asked to confirm it. The task is not started: the user starts the queue. Rooroo's experts, AI agents of their own, will work on it with tools. Returns the task's id.",
    canBeReferencedInPrompt: true,
    toolReferenceName: "rooroo-add-task",
    icon: "$(list-ordered)",
    tags: ["rooroo", "tasks"],
    when: "workspaceFolderCount != 0 && isWorkspaceTrusted",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      required: ["goal"],
      properties: {
        goal: {
          type: "string",
          minLength: 1,
          maxLength: 20000,
          description:
            "What the task is to achieve, with everything that the expert needs to know: it does not see this conversation.",
        },
        expert: {
          type: "string",
          pattern: "^[A-Za-z0-9-]{1,200}$",
          description:
            "The slug of the expert who does it: rooroo-developer (default; changes code and runs commands), rooroo-analyzer (investigates, changes nothing), rooroo-planner (makes a plan of tasks), or a mode of the user's own.",
        },
      },
    },
  },
  {
    name: "rooroo_status",
    displayName: new Text("tool.status", "Status of Rooroo's Tasks"),
    userDescription: new Text(
      "tool.status.description",
      "See which of Rooroo's tasks run, wait, need you or are done",
    ),
    modelDescription:
      "Tells the state of Rooroo's tasks in the user's workspace: which need the user, run, wait in the queue, are done or have failed, with goals and reports' messages. Reads only.",
    canBeReferencedInPrompt: true,
    toolReferenceName: "rooroo-status",
    icon: "$(checklist)",
    tags: ["rooroo", "tasks"],
    when: "workspaceFolderCount != 0 && isWorkspaceTrusted",
    inputSchema: {
      type: "object",
      additionalProperties: false,
      properties: {
        taskId: {
          type: "string",
          maxLength: 200,
          description:
            "The id of one task, to learn all about it. Omitted: the queue and the newest tasks.",
        },
      },
    },
  },
] as const;

export type OwnTool = (typeof languageModelTools)[number]["name"];
