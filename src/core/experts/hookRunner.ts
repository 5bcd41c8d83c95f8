import type { CallHooks, HookedCall } from "../agent/calls/callHooks.js";
import type { SandboxTerms } from "../agent/commandSandbox.js";
import type { SeenFiles } from "../agent/seenFiles.js";
import type { ProposedAction, ToolResult } from "../agent/tool.js";
import { FileError, saidBy, UserError } from "../errors.js";
import type { TaskId } from "../ids.js";
import type { ShellResult } from "../ports/shell.js";
import { joined } from "../text/joined.js";
import { KeyedQueue } from "../text/keyedQueue.js";
import { plainOutput } from "../text/plainOutput.js";
import { quoteUntrusted } from "../text/quoteUntrusted.js";
import { sameBytes } from "../text/textFile.js";
import { visibleLine } from "../text/visibleText.js";
import { withTexts } from "../text/withTexts.js";
import { type Said, spoken, type Words, words } from "../text/words.js";
import { bareShell, sandboxedShell } from "../tools/commands/sandboxedShell.js";
import { changedFurther } from "../tools/editing/staleWrite.js";
import type { ExpertServices } from "./expertServices.js";
import { type Hook, type HookEvent, readHooks } from "./hooks.js";
import type { Mode } from "./mode.js";
import { HostView } from "./workspaceHost.js";

const defaultSeconds = 60;

/** The most characters of what a hook says that a model reads, and that a person is told. */
const mostRead = 4000;
const mostTold = 500;

/** The most characters of each text in what a hook is told. */
const mostGiven = 100_000;

/** The exit code by which a hook refuses something, or says something to the expert. */
const refusal = 2;

/** The task that hooks run for; what they change counts as its changes. */
export interface HookedTask {
  readonly taskId: TaskId;
  /** The task's folder, as in `.rooroo/tasks/ID`. */
  readonly folder: string;
  readonly mode: Pick<Mode, "slug" | "writes" | "ignores">;
  readonly goal: string;
  /** The files that the task's expert has seen. */
  readonly seen: SeenFiles;
}

type HookServices = Pick<
  ExpertServices,
  "host" | "files" | "clock" | "signer" | "redactor" | "settings" | "sandboxUse"
>;

/** An event that hooks run for, with the facts that they are told of it. */
interface Occasion {
  readonly event: HookEvent;
  /** The name of the tool, and what it does. */
  readonly tool?: Pick<HookedCall, "tool" | "access">;
  /** The file that the call is about. */
  readonly path?: string | undefined;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/**
 * Runs the user's own commands before and after what happens in a task: one after the other, in the sandbox where there
 * is one. What they change is recorded as changes of the task, as that of an expert's commands is.
 */
export class HookRunner implements CallHooks {
  readonly #turns = new KeyedQueue();
  /** What the user was told of. A hook that fails does so at each call. */
  readonly #told = new Set<string>();

  /**
   * @param tell tells the user something
   * @param view the workspace as the task sees it
   */
  constructor(
    private readonly task: HookedTask,
    private readonly services: HookServices,
    private readonly tell: (text: Said) => void,
    private readonly view = viewFor(task, services),
  ) {}

  /**
   * Runs what the user runs before a task.
   *
   * @throws a {@link UserError} if a hook does not let it begin, and the signal's reason when it aborts
   */
  async beforeTask(signal: AbortSignal): Promise<void> {
    const [said] = await this.#run({ event: "beforeTask" }, signal);
    if (said === undefined) return;
    throw new UserError(
      "taskRefusedByHook",
      "A hook of yours did not let {taskId} begin: {reason}",
      { taskId: this.task.taskId, reason: visibleLine(said, mostTold) },
    );
  }

  /**
   * Runs what the user runs when the work of a task is submitted. Returns why it is not accepted, for the model;
   * `undefined` if it is.
   */
  async afterTask(report: unknown, signal: AbortSignal): Promise<string | undefined> {
    const said = await this.#run({ event: "afterTask", facts: { report } }, signal);
    if (said.length === 0) return undefined;
    return `The user's own hook does not accept this yet:\n${quoted("afterTask", said)}`;
  }

  /** Runs what the user runs when the last task of a plan is done. */
  async afterPlan(planId: string, signal: AbortSignal): Promise<void> {
    const said = await this.#run({ event: "afterPlan", facts: { planId } }, signal);
    for (const text of said) {
      this.tell(words("A hook of yours says after the plan: {text}", { text: told(text) }));
    }
  }

  /** See {@link CallHooks}. */
  async before(call: HookedCall, signal: AbortSignal): Promise<string | undefined> {
    for (const path of pathsOf(call.actions)) {
      const said = await this.#run({ ...occasionOf("beforeTool", call), path }, signal);
      if (said.length === 0) continue;
      return `The user's own hook refused this, and it was not done:\n${quoted("beforeTool", said)}`;
    }
    return undefined;
  }

  /** See {@link CallHooks}. */
  async after(call: HookedCall, result: ToolResult, signal: AbortSignal): Promise<ToolResult> {
    const occasion = occasionOf("afterTool", call, result);
    const heard: string[] = [];
    let { seen = [] } = result;
    for (const path of pathsOf(call.actions)) {
      if (this.#hooks(occasion).length === 0) continue;
      const file = call.access === "write" && !isAbsolute(path) ? path : undefined;
      const before = file === undefined ? undefined : await this.services.host.files.readFile(file);
      const said = await this.#run({ ...occasion, path }, signal);
      if (file !== undefined && before !== undefined) {
        const changed = await this.#changed(file, before, seen);
        heard.push(...changed.lines);
        ({ seen } = changed);
      }
      if (said.length > 0) {
        heard.push(`The user's own hook says about this:\n${quoted("afterTool", said)}`);
      }
    }
    if (heard.length === 0) return result;
    const content = [result.content, ...heard].join("\n");
    return { ...result, content, ...(seen.length > 0 && { seen }) };
  }

  /** Returns what an expert is told of a file that hooks have changed after its write. */
  async #changed(path: string, before: Uint8Array, seen: NonNullable<ToolResult["seen"]>) {
    const { files } = this.services.host;
    const after = await files.readFile(path);
    if (after !== undefined && sameBytes(before, after)) return { lines: [], seen };
    const location = await this.view.forCall().guard.locate(path);
    const states = { before, after };
    const further = await changedFurther(location, states, seen, this.task);
    return {
      ...further,
      lines: [`The user's own hook changed ${path} further.`, ...further.lines],
    };
  }

  /** Runs the hooks of an occasion. Returns what those said that refuse, or have something to say. */
  async #run(occasion: Occasion, signal: AbortSignal): Promise<readonly string[]> {
    const said: string[] = [];
    for (const hook of this.#hooks(occasion)) {
      const one = await this.#turns.run("", () => this.#runOne(hook, occasion, signal));
      if (one === undefined) continue;
      said.push(one);
      // One refusal is enough, whatever the others say.
      if (occasion.event.startsWith("before")) break;
    }
    return said;
  }

  #hooks({ event, tool }: Occasion): readonly Hook[] {
    const read = readHooks(this.services.settings().hooks);
    if ("problem" in read) {
      throw new UserError(
        "hooksInvalid",
        "The hooks in your settings (rooroo.hooks) cannot be used: {problem}. Correct them: nothing runs without them.",
        { problem: withTexts(read.problem, (text) => visibleLine(text, 300)) },
      );
    }
    return (read.hooks[event] ?? []).filter(
      ({ tools }) =>
        tool === undefined || tools === undefined || tools.some((one) => isFor(one, tool)),
    );
  }

  /** Runs one hook. Returns what it says if it refuses; `undefined` if the work goes on. */
  async #runOne(hook: Hook, occasion: Occasion, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted();
    const named = { event: occasion.event, command: visibleLine(hook.command, 60) };
    let ran: Awaited<ReturnType<HookRunner["runCommand"]>>;
    try {
      ran = await this.runCommand(hook, occasion, signal);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.#tellOnce(
        words("The hook {event} ({command}) could not be run, and the work goes on. {problem}", {
          ...named,
          problem: saidBy(error),
        }),
      );
      return undefined;
    }
    const { result, notes, isInside } = ran;
    if (notes.length > 0) {
      this.#tellOnce(
        words("The hook {event} ({command}): {notes}", { ...named, notes: notes.join("\n") }),
      );
    }
    signal.throwIfAborted();
    const { endedBy, exitCode, streams } = result;
    if (endedBy === "itself" && exitCode === 0) return undefined;
    const printed = plainOutput(streams?.stderr ?? result.output).trim();
    if (endedBy === "itself" && exitCode === refusal)
      return printed === "" ? "(no reason)" : printed;
    const where = isInside ? joined(" ", words("It ran in the sandbox.")) : "";
    const output = printed === "" ? "" : ` ${told(printed)}`;
    this.#tellOnce(joined(endOf(result, named), where, output));
    return undefined;
  }

  /** Runs a hook's command, and records what it changes. */
  private async runCommand(hook: Hook, occasion: Occasion, signal: AbortSignal) {
    const { host, settings, sandboxUse } = this.services;
    const sandbox = hook.outside === true ? undefined : await sandboxUse.ofHooks();
    const context = this.view.forCall(sandbox);
    const hosts = settings().sandbox?.allowedHosts ?? [];
    const own =
      context.sandbox === undefined || sandbox === undefined
        ? bareShell(host.shell)
        : await sandboxedShell(host.shell, context.sandbox, termsFor(hosts), nothingKnown);
    // Changes in a sandbox layer are recorded when they are put into the workspace.
    const watch = sandbox?.direct === false ? undefined : await context.changes.watch();
    const request = {
      command: hook.command,
      cwd: "",
      timeoutMs: (hook.timeoutSeconds ?? defaultSeconds) * 1000,
      onOutput: () => undefined,
      separateStreams: true,
      ...this.#given(occasion),
    };
    let result: ShellResult;
    try {
      result = await own.shell.run(request, signal);
    } catch (error) {
      await watch?.settle();
      throw error;
    }
    const notes = [...own.unkept(), ...((await watch?.settle()) ?? [])];
    return { result, notes, isInside: sandbox !== undefined };
  }

  /** Returns what a hook is told: by its environment in short, on its standard input as a whole. */
  #given({ event, tool, path, facts }: Occasion) {
    const { taskId, mode, goal } = this.task;
    const about = {
      event,
      task: { id: taskId, mode: mode.slug, goal },
      ...(tool && { tool: tool.tool }),
      ...(path !== undefined && { path }),
      ...facts,
    };
    const input = `${JSON.stringify(this.services.redactor.each(shortened(about)))}\n`;
    const env = {
      ROOROO_EVENT: event,
      ROOROO_TASK: taskId,
      ...(tool && { ROOROO_TOOL: tool.tool }),
      // A name that begins with a hyphen would be read as an option.
      ...(path !== undefined && { ROOROO_PATH: path.startsWith("-") ? `./${path}` : path }),
    };
    return { input, env };
  }

  #tellOnce(said: Said): void {
    const text = spoken(said);
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.tell(said);
  }
}

const nothingKnown = { facts: { commands: [], writes: [] }, folder: "" };

function termsFor(hosts: readonly string[]): SandboxTerms {
  const network = hosts.length === 0 ? "none" : { hosts };
  return { network, keeps: "project", onlyReads: false };
}

function viewFor({ mode, folder }: HookedTask, services: HookServices): HostView {
  const settings = () => services.settings();
  const session = { mode, folder, sandbox: undefined, state: services, settings };
  return new HostView(services.host, session);
}

function occasionOf(event: HookEvent, call: HookedCall, result?: ToolResult): Occasion {
  const { tool, access, args, actions } = call;
  const commands = actions.flatMap((action) => (action.access === "command" ? [action] : []));
  const [command] = commands;
  return {
    event,
    tool: { tool, access },
    facts: {
      ...(args === undefined ? {} : { arguments: args }),
      ...(command && { command: command.command }),
      ...(result && { result: { ok: result.ok, content: result.content } }),
    },
  };
}

/** Returns the files that a call is about; a single `undefined` if it is about none. */
function pathsOf(actions: readonly ProposedAction[]): readonly (string | undefined)[] {
  const paths = actions.flatMap((action) =>
    action.access === "read" || action.access === "write" ? [action.path] : [],
  );
  return paths.length === 0 ? [undefined] : [...new Set(paths)];
}

function isAbsolute(path: string | undefined): boolean {
  return path !== undefined && /^([A-Za-z]:)?\//.test(path);
}

function isFor(name: string, { tool, access }: Pick<HookedCall, "tool" | "access">): boolean {
  return name === tool || name === access;
}

/** Returns what hooks say, for a model: a program has written it, and may have it from anywhere. */
function quoted(event: HookEvent, said: readonly string[]): string {
  const text = said.join("\n");
  const cut = text.length > mostRead ? `${text.slice(0, mostRead)}\n(The rest is left out.)` : text;
  return quoteUntrusted(event, cut);
}

function told(text: string): string {
  return visibleLine(text, mostTold);
}

/** Returns how a hook ended that has not said that it refuses. */
function endOf(
  { endedBy, exitCode, signal, limit }: ShellResult,
  hook: { readonly event: string; readonly command: string },
): Words {
  if (endedBy === "timeout") {
    return words(
      "The hook {event} ({command}) took too long and was ended, and the work goes on.",
      hook,
    );
  }
  if (endedBy === "limit") {
    return words(
      "The hook {event} ({command}) was ended because it used too much ({limit}), and the work goes on.",
      { ...hook, limit: limit ?? "output" },
    );
  }
  return exitCode === null
    ? words("The hook {event} ({command}) was ended by {signal}, and the work goes on.", {
        ...hook,
        signal: signal ?? "SIGTERM",
      })
    : words("The hook {event} ({command}) failed with exit code {code}, and the work goes on.", {
        ...hook,
        code: exitCode,
      });
}

/** Returns the data with its long texts cut. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, mostGiven);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}
