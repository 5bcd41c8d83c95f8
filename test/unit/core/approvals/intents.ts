import type { ProposedAction } from "../../../../src/core/agent/tool.js";
import { visibleText } from "../../../../src/core/text/visibleText.js";
import { words } from "../../../../src/core/text/words.js";

const preview = (
  kind: ProposedAction["preview"]["kind"],
  text: string,
): ProposedAction["preview"] => ({
  kind,
  text,
});

/** One of each kind, as short as tests want them. */
export const intents = {
  read: (path: string, inside = true): ProposedAction => {
    return { access: "read", title: path, path, inside, preview: preview("text", path) };
  },
  write: (path: string, inside = true): ProposedAction => {
    return { access: "write", title: path, path, inside, preview: preview("diff", "+x") };
  },
  command: (command: string, path = "", inside = true): ProposedAction => ({
    access: "command",
    title: command,
    command,
    path,
    inside,
    preview: preview("command", visibleText(command)),
    facts: {
      commands: [{ words: [command], verdict: "asks", why: words("Nobody knows.") }],
      writes: [],
    },
  }),
  web: (address: string): ProposedAction => {
    return { access: "web", title: address, address, preview: preview("address", address) };
  },
  tool: (name: string, input = "{}"): ProposedAction => {
    return { access: "tool", title: name, tool: name, bound: "1", preview: preview("text", input) };
  },
  spend: (): ProposedAction => {
    return { access: "spend", title: "Go on?", preview: preview("text", "200 requests") };
  },
};
