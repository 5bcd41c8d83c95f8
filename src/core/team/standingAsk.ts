import type { Signer } from "../ports/system.js";
import type { TeamAnswer, TeamClaim } from "../ports/teamQueue.js";
import { type Asked, isAnswerSigned } from "./teamAsk.js";

/**
 * What the commit asks that an attempt goes on from, and what a person has answered to just that. The commit's own signed
 * file says what it asks; the queue only brings the answer, which counts once among all attempts that go on from there.
 */
export class StandingAsk {
  #answer: TeamAnswer | undefined;
  #closed: Promise<boolean> | undefined;

  /**
   * @param asked `undefined`: the commit asks nothing
   * @param close records where all machines see it that the ask is closed. Returns `false` if it was closed before, or the
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
    const answer = this.#answer;
    if (this.#closed !== undefined || this.asked?.subject !== subject) return undefined;
    return answer?.kind === kind ? (answer as Extract<TeamAnswer, { kind: K }>) : undefined;
  }

  /**
   * Closes the ask, so that no answer to it counts from now on, here or anywhere. Returns whether this attempt may still use
   * the one that was given.
   */
  close(): Promise<boolean> {
    const { asked } = this;
    if (asked === undefined) return Promise.resolve(false);
    return (this.#closed ??= this.onClose(asked, this.#answer !== undefined));
  }
}
