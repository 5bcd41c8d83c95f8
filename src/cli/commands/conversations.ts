import { conversationMarkdown } from "../../core/conversation/state/conversationMarkdown.js";
import { newConversation } from "../../core/conversation/state/conversationState.js";
import { applyEvent } from "../../core/conversation/state/reduce.js";
import { settle } from "../../core/conversation/state/settle.js";
import {
  type ConversationEntry,
  ConversationStore,
} from "../../core/conversation/store/conversationStore.js";
import { titleOf } from "../../core/conversation/store/titleOf.js";
import { modeName } from "../../core/experts/modeName.js";
import type { ConversationId } from "../../core/ids.js";
import { type LocalServices, localServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";
import { readOverview } from "./status.js";

/** Returns the conversation that changed last, of those that this installation began; `undefined` if there is none. */
export async function latestConversation(
  services: LocalServices,
): Promise<ConversationId | undefined> {
  const entries = await storeOf(services).list();
  return entries.find(({ foreign }) => !foreign)?.id;
}

/**
 * Returns the conversation that `ask` goes on with; `undefined`: a new one. Throws {@link WrongUse} if there is none
 * that fits.
 */
export async function conversationToGoOnWith(
  which: { readonly conversation: string | undefined; readonly continue: boolean },
  cli: Cli,
): Promise<ConversationId | undefined> {
  if (which.conversation !== undefined) return (await find(which.conversation, cli)).entry.id;
  if (!which.continue) return undefined;
  const root = await workspaceRoot(cli.options.workspace);
  const latest = await latestConversation(localServices(root, "rooroo ask"));
  if (latest !== undefined) return latest;
  throw new WrongUse(
    "conversationNone",
    "There is no conversation here to go on with. Begin one with rooroo ask.",
  );
}

/** Lists the conversations, the latest first; with words, only those that have all of them. */
export async function listConversations(
  words: readonly string[],
  cli: Cli,
): Promise<Result<never>> {
  const root = await workspaceRoot(cli.options.workspace);
  const store = storeOf(localServices(root, "rooroo conversations"));
  const query = words.join(" ");
  const entries =
    query === "" ? await store.list() : await store.search(query, new AbortController().signal);
  const { style } = cli.terminal;
  return {
    end: "done",
    json: () => entries.map(shown),
    text: () =>
      entries.length === 0
        ? `${t("No conversations.")}\n`
        : entries
            .map(({ id, title, changedAt, foreign }) => {
              const when = new Date(changedAt).toISOString().slice(0, 16).replace("T", " ");
              const name = foreign ? style.yellow(t("from elsewhere")) : titleText(title);
              return `${style.dim(`${id}  ${when}`)}  ${name}\n`;
            })
            .join(""),
  };
}

/** Shows a conversation as text. */
export async function showConversation(given: string, cli: Cli): Promise<Result<never>> {
  const { entry, store } = await find(given, cli);
  const { events } = await store.journal(entry.id).load(Number.MAX_SAFE_INTEGER);
  return {
    end: "done",
    json: () => ({ ...shown(entry), events }),
    text: () => terminalText(markdownOf(entry, events)),
  };
}

/** Prints a conversation as Markdown, to be kept in a file. */
export async function exportConversation(given: string, cli: Cli): Promise<Result<never>> {
  const { entry, store } = await find(given, cli);
  const { events } = await store.journal(entry.id).load(Number.MAX_SAFE_INTEGER);
  const markdown = markdownOf(entry, events);
  return { end: "done", json: () => ({ ...shown(entry), markdown }), text: () => markdown };
}

/**
 * Gives a conversation a title.
 *
 * @throws {WrongUse} if the title is empty or there is no such conversation
 */
export async function renameConversation(
  given: string,
  title: string,
  cli: Cli,
): Promise<Result<never>> {
  if (titleOf(title) === "") throw new WrongUse("titleMissing", "The title is empty. Give one.");
  const { entry, store } = await find(given, cli);
  await store.rename(entry.id, title);
  const renamed = (await store.find(entry.id)) ?? entry;
  return {
    end: "done",
    json: () => shown(renamed),
    text: () => `${t("Renamed {0}: {1}", entry.id, titleText(renamed.title))}\n`,
  };
}

/**
 * Deletes a conversation, unless a task of it is running.
 *
 * @throws {WrongUse} if a task of it is running or there is no such conversation
 */
export async function deleteConversation(given: string, cli: Cli): Promise<Result<never>> {
  const { entry, store } = await find(given, cli);
  const root = await workspaceRoot(cli.options.workspace);
  const { tasks } = await readOverview(root, "rooroo conversations");
  if (tasks.some((task) => task.state === "running" && task.conversation === entry.id)) {
    throw new WrongUse(
      "conversationAtWork",
      "A task of conversation {id} is running. Stop it first.",
      { id: entry.id },
    );
  }
  await store.remove(entry.id);
  return {
    end: "done",
    json: () => shown(entry),
    text: () => `${t("Deleted {0}: {1}", entry.id, titleText(entry.title))}\n`,
  };
}

function storeOf({ files, signer }: LocalServices): ConversationStore {
  return new ConversationStore(files, signer, () => undefined);
}

function shown({ id, title, createdAt, changedAt, foreign }: ConversationEntry) {
  return { id, title, createdAt, changedAt: new Date(changedAt).toISOString(), foreign };
}

function titleText(title: string): string {
  return title === "" ? t("Untitled") : terminalLine(title, 80);
}

function markdownOf(
  { title }: ConversationEntry,
  events: Parameters<typeof applyEvent>[1][],
): string {
  const state = newConversation();
  for (const event of events) applyEvent(state, event);
  settle(state);
  return conversationMarkdown(title, state.items, modeName);
}

/** Returns the conversation with this id, or with a unique end of its id. Throws {@link WrongUse}. */
async function find(
  given: string,
  cli: Cli,
): Promise<{ readonly entry: ConversationEntry; readonly store: ConversationStore }> {
  const root = await workspaceRoot(cli.options.workspace);
  const store = storeOf(localServices(root, "rooroo conversations"));
  const entries = await store.list();
  const found = entries.filter(({ id }) => given !== "" && id.endsWith(given));
  const entry = entries.find(({ id }) => id === given) ?? found[0];
  if (entry !== undefined && (entry.id === given || found.length === 1)) return { entry, store };
  if (entry !== undefined) {
    throw new WrongUse(
      "conversationAmbiguous",
      "{id} fits several conversations: {conversations}. Give more of the id.",
      { id: given, conversations: found.map(({ id }) => id).join(", ") },
    );
  }
  throw new WrongUse(
    "conversationNotListed",
    "There is no conversation {id} here. `rooroo conversations list` lists them all.",
    { id: given },
  );
}
