import type { Clock } from "../ports/system.js";
import { isAway, type SentPlan } from "./sentPlans.js";
import type { Asked } from "./teamAsk.js";
import type { OpenAsk, OpenPlan, TeamLink } from "./teamLink.js";

/**
 * Milliseconds from one look to the next, and after failed ones at most. That a plan has ended or asks something is told, if
 * nothing gets lost; where its tasks are is not.
 */
const pauseMs = 5_000;
const pauseAwayMs = 60_000;
const longestPauseMs = 60_000;

export interface TeamWatchOptions {
  /** Returns all that was sent from here. */
  readonly sent: () => Promise<readonly SentPlan[]>;
  /** Returns access to the team; `undefined`: there is no address. */
  readonly link: () => Promise<Pick<TeamLink, "open" | "asked" | "onChanged"> | undefined>;
  readonly clock: Clock;
  /** Whether somebody looks here, so that changes are to be seen soon. */
  readonly isLookedAt: () => boolean;
  /** Called when something has changed. */
  readonly onChange: () => void;
}

/** Follows the plans that were sent from here for as long as they are worked on, and knows what they ask. */
export class TeamWatch {
  #open: readonly OpenPlan[] = [];
  #asks: readonly OpenAsk[] = [];
  /** What was read of each question or approval; `undefined`: nobody with the team's key asks that. */
  readonly #read = new Map<string, Asked | undefined>();
  #problem: unknown;
  #failures = 0;
  #hasLink = true;
  #shown = "";
  #looking: Promise<void> | undefined;
  #following = false;
  /** The link by which changes are heard, and what ends that. */
  #heardBy: { readonly link: object; stop(): void } | undefined;
  #wake = new AbortController();
  readonly #end = new AbortController();

  constructor(private readonly options: TeamWatchOptions) {}

  /** The questions and approvals that wait for a person. */
  get asks(): readonly OpenAsk[] {
    return this.#asks;
  }

  /** Why the team could not be asked last; `undefined`: it could. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Whether there is no address, so that nothing but the own records is known. */
  get isUnset(): boolean {
    return !this.#hasLink;
  }

  /** Returns the plans that are away, with what is known of them, and goes on following those that are worked on. */
  async plans(): Promise<readonly OpenPlan[]> {
    const away = (await this.options.sent()).filter(isAway);
    const known = new Map(this.#open.map((one) => [one.plan.planId, one]));
    const open = away.map((plan) => ({ status: undefined, ...known.get(plan.planId), plan }));
    if (this.#hasLink && open.some(isAtWork)) this.#follow();
    return open;
  }

  /** Asks the team now; never rejects. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    }));
  }

  /** Asks again although there was no address, or another one. */
  async restart(): Promise<void> {
    this.#hasLink = true;
    this.#failures = 0;
    await this.look();
    await this.plans();
  }

  /** Ends it; nothing is told any more. */
  stop(): void {
    this.#end.abort();
  }

  async #look(): Promise<void> {
    try {
      const link = await this.options.link();
      this.#hasLink = link !== undefined;
      if (link !== undefined && this.#following) this.#hear(link);
      this.#open = (await link?.open()) ?? [];
      this.#asks = link === undefined ? [] : await this.#readAsks(link);
      this.#problem = undefined;
      this.#failures = 0;
    } catch (error) {
      this.#problem = error;
      this.#failures++;
    }
    const shown = JSON.stringify([this.#open, this.#asks, String(this.#problem), this.#hasLink]);
    if (shown === this.#shown || this.#end.signal.aborted) return;
    this.#shown = shown;
    this.options.onChange();
  }

  async #readAsks(link: Pick<TeamLink, "asked">): Promise<OpenAsk[]> {
    const found: OpenAsk[] = [];
    const ids = new Set<string>();
    for (const { plan, status } of this.#open) {
      for (const task of status?.progress ?? []) {
        const [ask] = task.asks;
        if (ask === undefined) continue;
        // Whose id it is the database alone says, so what was read is kept for this task only.
        const id = `${plan.planId} ${task.id} ${ask.id}`;
        ids.add(id);
        if (!this.#read.has(id)) this.#read.set(id, await link.asked(plan, task));
        const asked = this.#read.get(id);
        if (asked) found.push({ planId: plan.planId, taskId: task.id, asked });
      }
    }
    for (const id of this.#read.keys()) if (!ids.has(id)) this.#read.delete(id);
    return found;
  }

  #follow(): void {
    if (this.#following || this.#end.signal.aborted) return;
    this.#following = true;
    void this.#poll().finally(() => {
      this.#following = false;
      this.#heardBy?.stop();
      this.#heardBy = undefined;
    });
  }

  #hear(link: Pick<TeamLink, "onChanged">): void {
    if (this.#heardBy?.link === link) return;
    this.#heardBy?.stop();
    const stop = link.onChanged((planId) => {
      const isOurs = this.#open.some(({ plan }) => plan.planId === planId);
      if (planId === undefined || isOurs) this.#wake.abort();
    });
    this.#heardBy = { link, stop };
  }

  async #poll(): Promise<void> {
    const { clock } = this.options;
    const { signal } = this.#end;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      await this.look();
      if (!this.#hasLink || (this.#failures === 0 && !this.#open.some(isAtWork))) return;
      const until = AbortSignal.any([signal, this.#wake.signal]);
      await clock.sleep(this.#pause(), until).catch(() => undefined);
    }
  }

  #pause(): number {
    const usual = this.options.isLookedAt() ? pauseMs : pauseAwayMs;
    return Math.min(longestPauseMs, usual * 2 ** Math.min(this.#failures, 10));
  }
}

/** Returns whether what is known of a plan can change by itself. */
function isAtWork({ status }: OpenPlan): boolean {
  return status === undefined || status.state === "open";
}
