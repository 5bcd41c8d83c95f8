import { type Said, spoken } from "../../text/words.js";
import type { Granted, SandboxTerms } from "../commandSandbox.js";
import type { Editable, ProposedAction, PreparedCall, ToolResult } from "../tool.js";

/** A request for permission. */
export interface AuthorizationRequest {
  readonly action: ProposedAction;
  readonly editable?: Editable | undefined;
  /** Whether the person rewrote the call, so that the action is theirs and not the model's. */
  readonly edited: boolean;
  /** The reason why a person is asked regardless of permissions, for example because their edited text is unusable. */
  readonly problem?: Said | undefined;
}

export type Authorization =
  /**
   * `asked`: a person was asked, so files may have changed meanwhile. `sandbox`: no person was asked, so a
   * command runs in the sandbox.
   */
  | { readonly type: "granted"; readonly asked?: boolean; readonly sandbox?: SandboxTerms }
  /** Granted with a text that the person wrote instead. */
  | { readonly type: "edited"; readonly text: string }
  /** `reason` is in words for the model. */
  | { readonly type: "refused"; readonly reason: string }
  /** No person can be asked now. */
  | { readonly type: "unavailable" };

/** The outcome of asking for permission. */
export type Permitted =
  /** `note` tells the model what the person changed. */
  | {
      readonly type: "permitted";
      readonly prepared: PreparedCall;
      readonly granted: Granted;
      readonly note?: string;
    }
  | { readonly type: "answered"; readonly result: ToolResult }
  | { readonly type: "parked"; readonly action: ProposedAction };

/**
 * Asks until the call is permitted, refused or parked. An edited call is prepared like a new one. A call that
 * a person was asked about is prepared again before it runs, and runs only if it would still do the same.
 *
 * @param prepareAgain prepares the call as the model made it
 */
export async function permit(
  first: PreparedCall,
  prepareAgain: () => Promise<PreparedCall | ToolResult>,
  ask: (asked: AuthorizationRequest) => Promise<Authorization>,
): Promise<Permitted> {
  let prepare = prepareAgain;
  let prepared = first;
  let note: string | undefined;
  let problem: string | undefined;
  for (;;) {
    const edited = note !== undefined;
    const actions = actionsOf(prepared);
    // A call with several actions has no single text that stands for all of them.
    const editable = actions.length === 1 ? first.editable : undefined;
    let wasAsked = false;
    let sandbox: SandboxTerms | undefined;
    let text: string | undefined;
    for (const action of actions) {
      const permission = await ask({ action, editable, edited, problem });
      if (permission.type === "unavailable") return { type: "parked", action };
      if (permission.type === "refused") return failed(permission.reason);
      if (permission.type === "edited") ({ text } = permission);
      else {
        wasAsked ||= permission.asked ?? false;
        sandbox ??= permission.sandbox;
      }
    }
    if (text !== undefined) {
      if (editable === undefined) throw new Error("edited what cannot be edited");
      const written = text;
      const next = await editable.prepare(written);
      problem = "ok" in next ? next.content : undefined;
      if ("ok" in next) continue;
      prepare = () => editable.prepare(written);
      prepared = next;
      note = editable.note(written);
      continue;
    }
    const granted = { sandbox };
    if (!wasAsked && !edited) return { type: "permitted", prepared, granted };
    const preparedAgain = await prepare();
    if ("ok" in preparedAgain) return { type: "answered", result: preparedAgain };
    if (!isSame(actions, actionsOf(preparedAgain))) return failed(changed(actions));
    return {
      type: "permitted",
      prepared: preparedAgain,
      granted,
      ...(note === undefined ? {} : { note }),
    };
  }
}

/** Returns all actions of a call. */
export function actionsOf({ action, more = [] }: PreparedCall): readonly ProposedAction[] {
  return action === undefined ? more : [action, ...more];
}

function isSame(asked: readonly ProposedAction[], now: readonly ProposedAction[]): boolean {
  return JSON.stringify(asked) === JSON.stringify(now);
}

function failed(content: string): Permitted {
  return { type: "answered", result: { ok: false, content } };
}

function changed(actions: readonly ProposedAction[]): string {
  const titles = actions.map(({ title }) => `“${spoken(title)}”`).join(", ");
  return `${titles} was not done: files that it is about were changed by somebody else while it waited for approval, and it would not do what was approved. Look at them again, then repeat the call.`;
}
