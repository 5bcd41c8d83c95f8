import type { ModelMessage } from "../agent/messages.js";
import { isContext } from "./closestContexts.js";
import { isObservation } from "./observation.js";

/**
 * Returns the messages that the user wrote, leaving out the harness's own messages in the `user` role.
 */
export function saidByPerson(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap(({ role, content }) =>
    role === "user" && !isObservation(content) && !isContext(content) ? [content] : [],
  );
}
