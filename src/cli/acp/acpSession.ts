import {
  type AvailableCommand,
  type ContentBlock,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionConfigOption,
  type SessionModeState,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { approvalPresets } from "../../core/approvals/approvalRules.js";
import type { Attachment } from "../../core/conversation/input/attachment.js";
import { slashCommands } from "../../core/conversation/input/slashCommands.js";
import type { LoadedConversation } from "../../core/conversation/store/journal.js";
import { titleOf } from "../../core/conversation/store/titleOf.js";
import type { ConversationId } from "../../core/ids.js";
import { profileNamed } from "../../core/models/modelProfile.js";
import type { Outcome } from "../../core/navigator/tasks/outcome.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { lazyPdf } from "../../runtime/lazy.js";
import type { LocalServices } from "../../runtime/localServices.js";
import { t } from "../language/language.js";
import { Session, type SessionOptions } from "../session/session.js";
import { ClientApprover } from "./clientApprover.js";
import { configOptions, profileOf } from "./configOptions.js";
import { readPrompt } from "./readPrompt.js";
import { autoMode, requestModes } from "./requestModes.js";
import { keepChoices, keptChoices, type SessionChoices } from "./sessionChoices.js";
import { SessionUpdates } from "./sessionUpdates.js";

/** The client, as a session speaks to it. */
export interface Client {
  update(update: SessionUpdate): void;
  requestPermission(
    request: Omit<RequestPermissionRequest, "sessionId">,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
}

/** A session of the protocol: one conversation, with a Navigator of its own. */
export class AcpSession {
  private readonly session: Session;
  private readonly updates: SessionUpdates;
  private readonly local: LocalServices;
  private readonly pdf = lazyPdf();
  /** The updates that wait until the client knows the session; `undefined` once it does. */
  private held: SessionUpdate[] | undefined = [];
  private choices: SessionChoices = { mode: autoMode.id };
  private turn: { isCancelled: boolean } | undefined;
  private isTitled = false;
  private readonly ended = new AbortController();

  constructor(
    options: Omit<SessionOptions, "approver" | "show" | "ended">,
    private readonly client: Client,
  ) {
    this.local = options.local;
    this.updates = new SessionUpdates(options.root);
    this.session = new Session({
      ...options,
      ended: this.ended.signal,
      approver: new ClientApprover(options.root, async (request, signal) => {
        const response = await client.requestPermission(request, signal);
        // It says that the turn was cancelled, and may come before the cancellation itself. The stop is not waited for:
        // it waits for this call.
        if (response.outcome.outcome === "cancelled") void this.cancel();
        return response;
      }),
      show: (event) => {
        this.tell(this.updates.live(event));
      },
    });
  }

  /** The session's id, which is the conversation's. */
  get id(): ConversationId {
    return this.session.id;
  }

  get modes(): SessionModeState {
    const availableModes = requestModes.map(({ id, name, description }) => {
      return { id, name: t(name), description: t(description) };
    });
    return { currentModeId: this.choices.mode, availableModes };
  }

  get configOptions(): SessionConfigOption[] {
    const { modelChoice: models, approvals: preset } = this.session;
    return configOptions({ mode: this.choices.mode, models, preset });
  }

  /** Begins a new conversation. What there is to tell is told after {@link release}. */
  async begin(): Promise<void> {
    await this.session.start();
    // So it can be gone on with before anything has been said.
    await keepChoices(this.id, this.choices, this.local);
    await this.tellCommands();
  }

  /**
   * Goes on with an earlier conversation.
   *
   * @param loaded what is told of it at once; absent: the client shows it already
   */
  async goOn(id: ConversationId, loaded?: LoadedConversation): Promise<void> {
    this.isTitled = true;
    await this.takeUp(id);
    if (loaded !== undefined) {
      for (const update of this.updates.replay(loaded.events)) this.client.update(update);
    }
    await this.session.start(id);
    await this.tellCommands();
  }

  /** Tells what was held until the client had its answer, and from now on everything at once. */
  release(): void {
    const { held = [] } = this;
    this.held = undefined;
    for (const update of held) this.client.update(update);
  }

  /**
   * Does what the user says, and resolves when nothing of it runs any more. Throws a `RequestError`.
   *
   * @param signal does the same as {@link cancel}
   */
  async prompt(blocks: readonly ContentBlock[], signal: AbortSignal): Promise<PromptResponse> {
    if (this.turn !== undefined) {
      throw RequestError.invalidRequest(undefined, t("Another prompt of this session is at work."));
    }
    const turn = (this.turn = { isCancelled: signal.aborted });
    const cancel = () => void this.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const { text, attachments } = await readPrompt(blocks, this.local.files, this.pdf, signal);
      // Cancelled before anything has begun.
      if (!this.isCancelled()) {
        this.title(text);
        await this.take(text, attachments);
      }
      this.tell(this.updates.settle());
      await this.session.flush();
      return { stopReason: turn.isCancelled ? "cancelled" : "end_turn" };
    } finally {
      signal.removeEventListener("abort", cancel);
      this.turn = undefined;
    }
  }

  /** Stops what the current prompt has begun; it can be resumed. */
  async cancel(): Promise<void> {
    if (this.turn === undefined) return;
    this.turn.isCancelled = true;
    await this.session.stop();
  }

  /** Stops everything, for the session's end; resolves when nothing is left to be written. */
  async stop(): Promise<void> {
    await this.cancel();
    await this.session.stop();
    this.ended.abort();
    await this.session.flush();
  }

  /** Chooses what requests become, for good. Throws a `RequestError` if there is no such mode. */
  async setMode(mode: string): Promise<void> {
    if (requestModes.every(({ id }) => id !== mode))
      throw RequestError.invalidParams(undefined, t("There is no such mode."));
    await this.choose({ ...this.choices, mode });
    this.tell([{ sessionUpdate: "config_option_update", configOptions: this.configOptions }]);
  }

  /** Chooses a value of one of {@link configOptions}, for good. Throws a `RequestError` if there is no such value. */
  async setOption(id: string, value: unknown): Promise<void> {
    const { modelChoice } = this.session;
    const wrong = RequestError.invalidParams(
      undefined,
      t("There is no such option, or it has no such value."),
    );
    if (typeof value !== "string") throw wrong;
    if (id === "mode" && requestModes.some((mode) => mode.id === value)) {
      await this.choose({ ...this.choices, mode: value });
    } else if (id === "model") {
      const model = profileOf(value, modelChoice);
      if (model === undefined) throw wrong;
      await this.choose({ ...this.choices, model });
    } else {
      const approvals = approvalPresets.find((preset) => id === "approvals" && preset === value);
      if (approvals === undefined) throw wrong;
      await this.choose({ ...this.choices, approvals });
    }
  }

  /** Keeps the choice before it counts: what the client is told holds for the next process too. */
  private async choose(choices: SessionChoices): Promise<void> {
    await keepChoices(this.id, choices, this.local);
    const isOther = choices.mode !== this.choices.mode;
    this.apply(choices);
    if (isOther) {
      this.tell([{ sessionUpdate: "current_mode_update", currentModeId: choices.mode }]);
    }
  }

  private apply(choices: SessionChoices): void {
    this.choices = choices;
    if (choices.model !== undefined) this.session.chooseProfile(choices.model);
    if (choices.approvals !== undefined) this.session.chooseApprovals(choices.approvals);
  }

  /** Applies what was chosen before. Where that is lost, nothing is changed until somebody chooses again. */
  private async takeUp(id: ConversationId): Promise<void> {
    const kept = await keptChoices(id, this.local);
    if (kept === undefined) return;
    const known = kept !== "lost" && requestModes.some((mode) => mode.id === kept.mode);
    if (!known) {
      this.apply({ mode: "ask" });
      return;
    }
    const { model, ...others } = kept;
    // A profile that is not there any more is not missed before the first request.
    const { modelChoice } = this.session;
    const isThere = model !== undefined && profileNamed(model, modelChoice) !== undefined;
    this.apply(isThere ? kept : others);
  }

  private isCancelled(): boolean {
    return this.turn?.isCancelled === true;
  }

  private take(text: string, attachments: readonly Attachment[]): Promise<Outcome> {
    const mode = requestModes.find(({ id }) => id === this.choices.mode);
    const chosen = mode?.expert === undefined ? {} : { expert: mode.expert };
    return this.session.say(text, attachments, chosen);
  }

  private title(text: string): void {
    if (this.isTitled) return;
    this.isTitled = true;
    const title = titleOf(text);
    if (title !== "") this.tell([{ sessionUpdate: "session_info_update", title }]);
  }

  private async tellCommands(): Promise<void> {
    const own = await this.session.navigator.commands.own();
    const availableCommands: AvailableCommand[] = [
      // A conversation is a session here, and runs are begun on the command line.
      ...slashCommands
        .filter(({ name }) => name !== "new" && name !== "run")
        .map(({ name, description, argument }) => described(name, description, argument)),
      ...own.map(({ name, description, hint }) => described(name, description, hint)),
    ];
    this.tell([{ sessionUpdate: "available_commands_update", availableCommands }]);
    // Servers may have to start first, and the client need not wait for them.
    void this.session.navigator.commands.prompts().then((prompts) => {
      if (prompts.length === 0 || this.ended.signal.aborted) return;
      const more = prompts.map(({ name, description, hint }) => described(name, description, hint));
      const all = [...availableCommands, ...more];
      this.tell([{ sessionUpdate: "available_commands_update", availableCommands: all }]);
    });
  }

  private tell(updates: readonly SessionUpdate[]): void {
    if (this.held !== undefined) this.held.push(...updates);
    else for (const update of updates) this.client.update(update);
  }
}

function described(name: string, description: string, hint: string): AvailableCommand {
  const input = hint === "" ? {} : { input: { hint: visibleLine(hint, 200) } };
  return { name, description: visibleLine(description, 300) || name, ...input };
}
