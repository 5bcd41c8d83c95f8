import { Text } from "./text.js";

interface Step {
  readonly title: string;
  /** Markdown, with links to commands. */
  readonly description: string;
  /** The picture's name in `media/walkthrough/`. */
  readonly picture: string;
  /** Describes the picture, for those who do not see it. */
  readonly alt: string;
}

/** The steps, by their ids, in their order. What ends one is in `vscode/walkthrough/walkthroughSteps.ts`. */
const steps = {
  model: {
    title: "Pick a model",
    description:
      "Rooroo works with any OpenAI-compatible server, on this machine or elsewhere, and with the models that VS Code offers.\n[Select Model](command:rooroo.selectModel)\nYour API key is kept in VS Code's secret storage: [Set API Key](command:rooroo.setApiKey). To see whether model and server work, [test the connection](command:rooroo.testConnection).",
    picture: "model",
    alt: "A list of models, one of them chosen, and a field for an API key",
  },
  request: {
    title: "Make your first request",
    description:
      "Describe a task in your own words. Rooroo decides whether to answer, to do it at once, or to plan it first.\n[New Request](command:rooroo.newRequest)\nBegin with /ask to only ask about the project, and with /do to have something done.",
    picture: "request",
    alt: "A conversation: a request, three steps of the work, and the input",
  },
  approval: {
    title: "Decide what may run",
    description:
      "Before Rooroo changes a file or runs a command that may change things, it shows exactly what will happen and waits for you. Allow it, edit it, or deny it and say why.\n[Choose What Runs Without Asking](command:workbench.action.openSettings?%5B%22rooroo.approvals.preset%22%5D)\nWhat you always allow can be taken back: [Manage Approvals](command:rooroo.manageApprovals).",
    picture: "approvals",
    alt: "A change of a file with its removed and added lines, and buttons to allow and to deny it",
  },
  plan: {
    title: "Plan, then proceed",
    description:
      "Begin with /plan and describe something larger. The planner makes tasks of it, and they wait in the queue. Proceed works through them, one after the other.\n[Proceed](command:rooroo.proceed)\nYou can reorder, edit and remove tasks in the Tasks view: [Show Tasks](command:rooroo.tasks.focus).",
    picture: "plan",
    alt: "A plan with four tasks: two done, one running, one waiting",
  },
  job: {
    title: "Leave long work to a job",
    description:
      "A job works on one large goal, task by task, for hours or a night, and goes on after a restart. You answer its questions when you come back.\n[New Job](command:rooroo.newJob)",
    picture: "jobs",
    alt: "The work of three runners between evening and morning",
  },
  run: {
    title: "Write documents in a run",
    description:
      "A run writes documents from your material. It proposes rules, waits until you confirm them, and then works in phases until the documents are complete.\n[Start Run](command:rooroo.startRun)",
    picture: "runs",
    alt: "Three source documents, a list of tasks, and a finished document with a chart",
  },
} satisfies Readonly<Record<string, Step>>;

export type WalkthroughStep = keyof typeof steps;

export const walkthroughs = [
  {
    id: "start",
    title: new Text("walkthrough.title", "Get Started with Rooroo"),
    description: new Text(
      "walkthrough.description",
      "Describe a task, decide what may run, and leave larger work to plans, jobs and runs.",
    ),
    icon: "media/icon.png",
    steps: Object.entries<Step>(steps).map(([id, { title, description, picture, alt }]) => ({
      id,
      title: new Text(`walkthrough.${id}.title`, title),
      description: new Text(`walkthrough.${id}.description`, description),
      media: {
        svg: `media/walkthrough/${picture}.svg`,
        altText: new Text(`walkthrough.${id}.alt`, alt),
      },
      // A step may have ended before the walkthrough was opened.
      completionEvents: [
        `onContext:rooroo.did.${id}`,
        `onContext:rooroo.did.${id} && rooroo.walkthroughOpened`,
      ],
    })),
  },
];
