import type { ModelMessage } from "../agent/messages.js";
import { isContext } from "./closestContexts.js";
import { isObservation } from "./observation.js";

/** The messages that the person wrote, of those that stand on their side of the conversation. */
export function saidByPerson(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap(({ role, content }) =>
    role === "user" && !isObservation(content) && !isContext(content) ? [content] : [],
  );
}
