import { parseInput, withAttachments } from "../input/parseInput.js";
import type { UserAction } from "../input/userAction.js";
import type { Item } from "./items.js";

/**
 * Returns the action that does once more what the user has asked for with a message: the same words, attachments and
 * expert. `undefined` if there is nothing to repeat, as in words to an expert at work.
 */
export function repeatedAction(item: Extract<Item, { kind: "user" }>): UserAction | undefined {
  if (item.to !== undefined) return undefined;
  const attachments = (item.attachments ?? []).map(({ attachment }) => attachment);
  const input = withAttachments(parseInput(item.text), attachments);
  switch (input.action) {
    case "request":
      return item.expert === undefined ? input : { ...input, expert: item.expert };
    case "proceed":
    case "resume":
    case "plan":
    case "brainstorm":
    case "doTask":
    case "queueTask":
    case "runJob":
    case "startRun":
    case "review":
      return input;
    case "answer":
    case "adopt":
    case "compact":
    case "leaveBrainstorm":
    case "createJob":
    case "nothing":
    case "badCommand":
      return undefined;
  }
}
