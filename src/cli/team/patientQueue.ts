import { UserError } from "../../core/errors.js";
import type { TeamQueue } from "../../core/ports/teamQueue.js";

/**
 * Returns the queue, whose calls for a claim wait while the database cannot be reached: work that is done is not given
 * up because the server is restarted. Whether the claim still counts is decided when it is back.
 *
 * @param rest resolves after a while; rejects when it is enough
 */
export function patientQueue(queue: TeamQueue, rest: () => Promise<void>): TeamQueue {
  const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof UserError) || error.code !== "databaseUnreachable") throw error;
        await rest();
      }
    }
  };
  return {
    send: (plan) => queue.send(plan),
    claim: (worker, most) => queue.claim(worker, most),
    onReady: (worker, heard) => queue.onReady(worker, heard),
    onChanged: (heard) => queue.onChanged(heard),
    beat: (claims) => queue.beat(claims),
    asksModel: (claim, call) => patiently(() => queue.asksModel(claim, call)),
    saved: (claim, commit) => patiently(() => queue.saved(claim, commit)),
    ask: (claim, ask, commit) => patiently(() => queue.ask(claim, ask, commit)),
    useAnswer: (claim, askId) => patiently(() => queue.useAnswer(claim, askId)),
    settle: (claim, end, commit) => patiently(() => queue.settle(claim, end, commit)),
    release: (claim, how) => patiently(() => queue.release(claim, how)),
    answer: (askId, answer) => queue.answer(askId, answer),
    cancel: (planId) => queue.cancel(planId),
    plans: (ids) => queue.plans(ids),
    forget: (planId) => queue.forget(planId),
    takeOver: () => queue.takeOver(),
    clean: (days) => queue.clean(days),
    close: () => queue.close(),
  };
}
