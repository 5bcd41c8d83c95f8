import type { Clock } from "../ports/system.js";

/** The milliseconds after which what was learnt is tried anew: a server may have got another model of the same name. */
const learntFor = 60 * 60 * 1000;

/** The sessions in which a model calls no tool before it counts as one that cannot: one bad conversation says little. */
const sessionsNeeded = 2;

interface Learnt {
  readonly at: number;
  /** Whether the server has said so. */
  readonly isRefused: boolean;
  /** The sessions in which it has called no tool. */
  readonly sessions: ReadonlySet<string>;
}

/** What this process has learnt about models that cannot call tools. It decays, and can be forgotten. */
export class ModelsWithoutTools {
  private readonly learnt = new Map<string, Learnt>();
  /** Called when something was learnt or forgotten. */
  onChange: () => void = () => undefined;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Returns whether a model, by its name, is not to be asked with tools. */
  has(model: string): boolean {
    const known = this.known(model);
    return known !== undefined && (known.isRefused || known.sessions.size >= sessionsNeeded);
  }

  /** Notes that the server refuses tools for a model. */
  refused(model: string): void {
    this.note(model, { isRefused: true });
  }

  /** Notes that a model has called no tool in a session, by the session's id, although it was told to several times. */
  calledNone(model: string, session: string): void {
    const { sessions = new Set<string>() } = this.known(model) ?? {};
    this.note(model, { sessions: new Set([...sessions, session]) });
  }

  /** Has all models be asked with tools again. */
  forget(): void {
    this.learnt.clear();
    this.onChange();
  }

  private note(model: string, more: Partial<Learnt>): void {
    const before = this.known(model) ?? { isRefused: false, sessions: new Set<string>() };
    this.learnt.set(model, { ...before, ...more, at: this.clock.now().getTime() });
    this.onChange();
  }

  private known(model: string): Learnt | undefined {
    const known = this.learnt.get(model);
    const isOld = known !== undefined && this.clock.now().getTime() - known.at > learntFor;
    return isOld ? undefined : known;
  }
}
