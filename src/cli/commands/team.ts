import { chosenAnswer } from "../../core/conversation/input/plainAnswer.js";
import { anyExpert } from "../../core/documents/queue.js";
import { isUserError, saidBy } from "../../core/errors.js";
import { QueueStore } from "../../core/navigator/queue/queueStore.js";
import { teamName, type TeamPlanStatus, type TeamTaskState } from "../../core/ports/teamQueue.js";
import { oddRowError } from "../../core/team/oddRow.js";
import { isAway, SentPlans } from "../../core/team/sentPlans.js";
import { saidIn } from "../../core/team/teamAsk.js";
import type { OpenAsk, TeamReply } from "../../core/team/teamLink.js";
import { translatable } from "../../core/text/translator.js";
import { spoken } from "../../core/text/words.js";
import { localServices } from "../../runtime/localServices.js";
import { connectTeam } from "../../runtime/teamConnection.js";
import type { TeamPlans } from "../../runtime/teamPlans.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { labelsOf, teamSettings } from "../team/teamSettings.js";
import { commandWords } from "../terminal/followUps.js";
import { indented, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** Sends a plan that is queued here to the team's workers. */
export async function sendPlan(
  given: {
    plan: string;
    db: string | undefined;
    repository: string;
    remote: string;
    labels: string | undefined;
  },
  cli: Cli,
): Promise<Result<never>> {
  const { repository, remote } = given;
  if (!teamName.test(repository)) {
    throw new WrongUse(
      "repositoryNameInvalid",
      "{name} is no name of a repository for a team: small letters, digits and -, as the workers' lists have it.",
      { name: JSON.stringify(repository) },
    );
  }
  const labels = labelsOf(given.labels);
  const { files, lock, signer } = localServices(
    await workspaceRoot(cli.options.workspace),
    "rooroo plan send",
  );
  const queued = (await new QueueStore(files, lock, anyExpert).entries()).map(
    ({ planId, taskId }) => planId ?? taskId,
  );
  const interrupted = (await new SentPlans(files, signer).all()).flatMap(({ planId, phase }) =>
    phase === "sending" ? [planId] : [],
  );
  const plan = idWith(given.plan, [...new Set([...queued, ...interrupted])]);
  return withTeam(given.db, cli, "rooroo plan send", async (plans) => {
    const sent = await plans.send(plan, { repository, remote, labels });
    const { planId, tasks } = sent;
    const land = commandWords(cli.options, ["plan", "land", planId]);
    return {
      end: "done",
      json: () => ({ planId, tasks: tasks.map(({ id }) => id) }),
      text: () =>
        `${t("{0} is sent, {1, plural, one {# task} other {# tasks}}. When it is done, {2} puts it into the folder.", planId, tasks.length, land)}\n`,
    };
  });
}

/** The states of plans and tasks, as messages. */
const teamStates: Readonly<Record<TeamPlanStatus["state"] | TeamTaskState, string>> = {
  open: translatable("open"),
  waiting: translatable("waiting"),
  queued: translatable("queued"),
  running: translatable("running"),
  asking: translatable("asking"),
  done: translatable("done"),
  failed: translatable("failed"),
  cancelled: translatable("cancelled"),
};

const allowed = translatable("{0} is allowed; a worker goes on with it.");
const denied = translatable("{0} is denied; a worker goes on with it.");
const answeredWords = translatable("{0} is answered; a worker goes on with it.");

/** Lists the plans that were sent from here, with how far they are. */
export async function listSent(db: string | undefined, cli: Cli): Promise<Result<never>> {
  return withTeam(db, cli, "rooroo plan sent", async (plans) => {
    await plans.tidy();
    const open = await plans.open();
    const asks = await plans.asks();
    const json = () => ({
      plans: open.map(({ plan, status, odd = [] }) => ({
        planId: plan.planId,
        state: status?.state ?? (odd.length === 0 ? "unknown" : "unreadable"),
        tasks: status?.progress.map(({ id, state, attempt, machine }) => ({
          taskId: id,
          state,
          attempt,
          machine,
        })),
        ...(odd.length > 0 && { unreadable: odd.map(({ row, columns }) => ({ row, columns })) }),
      })),
      asks: asks.map(({ planId, taskId, asked }) => ({
        planId,
        taskId,
        ...asked,
        said: undefined,
      })),
    });
    const text = () => {
      if (open.length === 0) return `${t("No plan that was sent is away.")}\n`;
      const lines = open.flatMap(({ plan, status, odd = [] }) => [
        `${plan.planId}  ${status !== undefined ? t(teamStates[status.state]) : odd.length === 0 ? t("not known to the team") : t("cannot be read")}`,
        ...odd.map((row) => `  ! ${terminalText(spoken(saidBy(oddRowError(row)), t))}`),
        ...(status?.progress ?? []).map(({ id, state, attempt, machine }) => {
          const where =
            machine === undefined
              ? ""
              : `  ${t("{0}, attempt {1}", terminalText(machine), attempt)}`;
          return `  ${id}  ${t(teamStates[state])}${where}`;
        }),
      ]);
      return `${lines.join("\n")}\n${asks.map((ask) => askText(ask, cli)).join("")}`;
    };
    return { end: "done", json, text };
  });
}

/** Allows or denies the action that a task on another machine waits for, or denies it and says why. */
export function decide(
  task: string,
  said: Exclude<TeamReply, string>,
  db: string | undefined,
  cli: Cli,
): Promise<Result<never>> {
  return withTeam(db, cli, "rooroo approve", async (plans) => {
    const ask = await askOf(task, "approval", plans);
    const isFirst = await plans.answer(ask, said);
    return answered(ask, isFirst, said === true ? allowed : denied);
  });
}

/** Returns whether the task is in a plan that other machines work on. */
export async function isTaskAway(task: string, cli: Cli): Promise<boolean> {
  return (await awayTasks(cli)).some((id) => id.toUpperCase().endsWith(task.toUpperCase()));
}

/** Answers the question of a task on another machine. */
export function answerAway(
  task: string,
  words: string,
  db: string | undefined,
  cli: Cli,
): Promise<Result<never>> {
  return withTeam(db, cli, "rooroo answer", async (plans) => {
    const ask = await askOf(task, "question", plans);
    const said = chosenAnswer(words, ask.asked.suggestions);
    if (said.trim() === "") {
      throw new WrongUse("answerTextMissing", "The answer is empty. Say something.");
    }
    return answered(ask, await plans.answer(ask, said), answeredWords);
  });
}

/** Brings what came of a plan here, if it was sent; see `TeamPlans.receive`. */
export async function receiveIfSent(
  given: string,
  db: string | undefined,
  cli: Cli,
): Promise<void> {
  const planId = (await awayPlans(cli)).find((id) =>
    id.toUpperCase().endsWith(given.toUpperCase()),
  );
  if (planId === undefined) return;
  await withTeam(db, cli, "rooroo plan land", async (plans) => {
    await plans.receive(planId);
    return { end: "done" };
  });
}

/**
 * Has the team forget plans that have landed or were discarded here, if it can be reached; otherwise that is done when the
 * next one is sent, or they are listed.
 */
export async function forgetSettled(db: string | undefined, cli: Cli): Promise<void> {
  if (!(await records(cli)).some(({ phase }) => phase === "received")) return;
  try {
    await withTeam(db, cli, "rooroo plan land", (plans) => plans.tidy());
  } catch (error) {
    if (!isUserError(error)) throw error;
  }
}

/** Pushes what came of a plan as a branch. */
export async function pushPlan(
  given: string,
  db: string | undefined,
  cli: Cli,
): Promise<Result<never>> {
  const planId = idWith(given, await sentPlans(cli));
  return withTeam(db, cli, "rooroo plan push", async (plans) => {
    const branch = await plans.pushBranch(planId);
    return {
      end: "done",
      json: () => ({ planId, branch }),
      text: () => `${t("What came of {0} is the branch {1} of the remote.", planId, branch)}\n`,
    };
  });
}

/** Ends the work on a plan that was sent. */
export async function cancelPlan(
  given: string,
  db: string | undefined,
  cli: Cli,
): Promise<Result<never>> {
  const planId = idWith(given, await awayPlans(cli));
  return withTeam(db, cli, "rooroo plan cancel", async (plans) => {
    const isEnded = await plans.cancel(planId);
    const text = isEnded
      ? t("{0} is not worked on any more.", planId)
      : t("{0} has ended already.", planId);
    return {
      end: isEnded ? "done" : "failed",
      json: () => ({ planId, cancelled: isEnded }),
      text: () => `${text}\n`,
    };
  });
}

async function withTeam<R>(
  db: string | undefined,
  cli: Cli,
  label: string,
  work: (plans: TeamPlans) => Promise<R>,
): Promise<R> {
  const address = teamSettings(db, cli.terminal);
  const { options, terminal } = cli;
  const root = await workspaceRoot(options.workspace);
  const local = localServices(root, label);
  const team = await connectTeam(address, { root, local, redactor: terminal.redactor });
  try {
    return await work(team.plans);
  } finally {
    await team.close();
  }
}

async function askOf(
  task: string,
  kind: OpenAsk["asked"]["kind"],
  plans: TeamPlans,
): Promise<OpenAsk> {
  const asks = await plans.asks();
  const id = idWith(
    task,
    asks.filter(({ asked }) => asked.kind === kind).map(({ taskId }) => taskId),
  );
  const found = asks.find(({ taskId, asked }) => taskId === id && asked.kind === kind);
  if (found === undefined) throw new Error(`no ask of ${id}`);
  return found;
}

function answered({ taskId }: OpenAsk, isFirst: boolean, word: string): Result<never> {
  return {
    end: isFirst ? "done" : "failed",
    json: () => ({ taskId, counted: isFirst }),
    text: () =>
      isFirst
        ? `${t(word, taskId)}\n`
        : `${t("{0} was answered by somebody else before.", taskId)}\n`,
  };
}

function askText({ taskId, asked }: OpenAsk, { options }: Cli): string {
  const { kind, suggestions = [] } = asked;
  const say = (name: Parameters<typeof saidIn>[1]) => terminalText(spoken(saidIn(asked, name), t));
  const title = say("title");
  const preview = say("preview");
  const why = say("why");
  const head = `\n${kind === "question" ? t("{0} asks: {1}", taskId, title) : t("{0} needs approval: {1}", taskId, title)}\n`;
  const reason = why === "" ? "" : `  ${why}\n`;
  const shown = preview === "" || title.includes(preview) ? "" : `${indented(preview)}\n`;
  const choices = suggestions
    .map((one, index) => `  ${index + 1}. ${terminalText(one)}\n`)
    .join("");
  const how =
    kind === "question"
      ? commandWords(options, ["answer", taskId, "…"])
      : t(
          "{0}, or {1}",
          commandWords(options, ["approve", taskId]),
          commandWords(options, ["deny", taskId]),
        );
  return `${head}${reason}${shown}${choices}  ${how}\n`;
}

async function sentPlans(cli: Cli): Promise<string[]> {
  return (await records(cli)).flatMap(({ planId, phase }) =>
    phase === "forgotten" ? [] : [planId],
  );
}

/** Returns the ids of the plans that other machines work on, or have worked on and that are not received. */
export async function awayPlans(cli: Cli): Promise<string[]> {
  return (await records(cli)).filter(isAway).map(({ planId }) => planId);
}

async function awayTasks(cli: Cli): Promise<string[]> {
  return (await records(cli)).filter(isAway).flatMap(({ tasks }) => tasks.map(({ id }) => id));
}

async function records({ options }: Cli) {
  const { files, signer } = localServices(await workspaceRoot(options.workspace), "rooroo plan");
  return new SentPlans(files, signer).all();
}

/** Returns the id that is given in full or by a unique end. Throws {@link WrongUse}. */
function idWith(given: string, ids: readonly string[]): string {
  if (ids.includes(given)) return given;
  const found =
    given === "" ? [] : ids.filter((id) => id.toUpperCase().endsWith(given.toUpperCase()));
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  throw found.length === 0
    ? new WrongUse("notAway", "Nothing here fits {id}. `rooroo plan sent` lists what is away.", {
        id: given,
      })
    : new WrongUse("awayAmbiguous", "{id} fits several: {ids}. Give more of the id.", {
        id: given,
        ids: found.join(", "),
      });
}
