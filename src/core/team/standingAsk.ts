import type { Signer } from "../ports/system.js";
import type { TeamAnswer, TeamClaim } from "../ports/teamQueue.js";
import { type Asked, isAnswerSigned } from "./teamAsk.js";

/**
 * What the commit asks that an attempt goes on from, and what a person has answered to just that. The commit's own signed
 * file says what it asks; the queue only brings the answer, which counts once among all attempts that go on from there.
 */
export class StandingAsk {
  readonly #answer: TeamAnswer | undefined;
  #closed: Promise<boolean> | undefined;
  #isOver = false;
  /** The call that uses the answer, and the subjects for which it has. */
  #user: { readonly callId: string; readonly subjects: Set<string> } | undefined;

  /**
   * @param asked `undefined`: the commit asks nothing
   * @param onClose records where all machines see it that the ask is closed. Returns `false` if it was closed before, or the
   *   attempt is not to use the answer.
   */
  constructor(
    private readonly asked: Asked | undefined,
    answers: TeamClaim["answers"],
    signer: Signer,
    private readonly onClose: (asked: Asked, isAnswered: boolean) => Promise<boolean>,
  ) {
    if (asked === undefined) return;
    const isTo = ({ id, answer }: TeamClaim["answers"][number]) =>
      id === asked.id && isAnswerSigned(asked, answer, signer);
    this.#answer = answers.find(isTo)?.answer;
  }

  /** Returns what a person has answered, if it is this that the commit asks and nothing has closed it yet. */
  answerTo<K extends TeamAnswer["kind"]>(
    kind: K,
    subject: string,
  ): Extract<TeamAnswer, { kind: K }> | undefined {
    const { asked } = this;
    const isAsked = asked?.subject === subject || asked?.allowed?.includes(subject) === true;
    if (this.#isOver || !isAsked || this.#answer?.kind !== kind) return undefined;
    return this.#answer as Extract<TeamAnswer, { kind: K }>;
  }

  /** Closes the ask, and returns whether a call may use the answer to it for a subject: one call, once for each. */
  async use(subject: string, callId: string): Promise<boolean> {
    this.#user ??= { callId, subjects: new Set() };
    const { subjects } = this.#user;
    if (this.#isOver || this.#user.callId !== callId || subjects.has(subject)) return false;
    subjects.add(subject);
    return this.#close();
  }

  /**
   * Closes the ask, so that no answer to it counts from now on, here or anywhere. Returns whether this attempt may still use
   * the one that was given.
   */
  close(): Promise<boolean> {
    this.#isOver = true;
    return this.#close();
  }

  #close(): Promise<boolean> {
    const { asked } = this;
    if (asked === undefined) return Promise.resolve(false);
    return (this.#closed ??= this.onClose(asked, this.#answer !== undefined));
  }
}
