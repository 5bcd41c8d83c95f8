import { Text } from "./text.js";

/** The container of our views in the activity bar. */
const container = new Text("container.title", "Rooroo");

export const viewsContainers = {
  activitybar: [{ id: "rooroo", title: container, icon: "media/rooroo.svg" }],
};

/** The views, by their ids. */
const views = {
  "rooroo.chat": {
    type: "webview",
    name: new Text("view.chat", "Navigator"),
    icon: "media/rooroo.svg",
    initialSize: 4,
  },
  "rooroo.tasks": {
    name: new Text("view.tasks", "Tasks"),
    icon: "$(checklist)",
    initialSize: 1,
  },
};

export type ViewId = keyof typeof views;

export const viewsInContainer = {
  rooroo: Object.entries(views).map(([id, view]) => ({ id, contextualTitle: container, ...view })),
};

/** The texts of the view "Tasks" while it has no rows. */
export const viewsWelcome = [
  {
    view: "rooroo.tasks",
    contents: new Text(
      "welcome.noFolder",
      "Open a folder to use Rooroo.\n[Open Folder](command:vscode.openFolder)",
    ),
    when: "workspaceFolderCount == 0",
  },
  {
    view: "rooroo.tasks",
    contents: new Text(
      "welcome.untrusted",
      "Rooroo is disabled in Restricted Mode. Trust this workspace to see its tasks and to let experts work in it.\n[Manage Workspace Trust](command:workbench.trust.manage)",
    ),
    when: "workspaceFolderCount != 0 && !isWorkspaceTrusted",
  },
  {
    view: "rooroo.tasks",
    contents: new Text(
      "welcome.empty",
      "There are no tasks, jobs or runs yet. Tell the Navigator what you want to achieve: larger goals are planned, and their tasks are queued here.\n[New Request](command:rooroo.newRequest)\nA job is long, unattended work, done task by task until its goal is reached. [New Job…](command:rooroo.newJob)\nA run writes documents in phases from your material, once you have confirmed its proposal. [Start Run…](command:rooroo.startRun)",
    ),
    when: "workspaceFolderCount != 0 && isWorkspaceTrusted",
  },
];
