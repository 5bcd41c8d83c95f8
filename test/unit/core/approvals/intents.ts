import type { Intent } from "../../../../src/core/agent/tool.js";
import { visibleText } from "../../../../src/core/text/visibleText.js";

const preview = (kind: Intent["preview"]["kind"], text: string): Intent["preview"] => ({
  kind,
  text,
});

/** One of each kind, as short as tests want them. */
export const intents = {
  read: (path: string, inside = true): Intent => {
    return { access: "read", title: path, path, inside, preview: preview("text", path) };
  },
  write: (path: string, inside = true): Intent => {
    return { access: "write", title: path, path, inside, preview: preview("diff", "+x") };
  },
  command: (command: string, path = "", inside = true): Intent => ({
    access: "command",
    title: command,
    command,
    path,
    inside,
    preview: preview("command", visibleText(command)),
    facts: { commands: [{ words: [command], verdict: "asks", why: "Nobody knows." }], writes: [] },
  }),
  web: (address: string): Intent => {
    return { access: "web", title: address, address, preview: preview("address", address) };
  },
  tool: (name: string, input = "{}"): Intent => {
    return { access: "tool", title: name, tool: name, preview: preview("text", input) };
  },
  spend: (): Intent => {
    return { access: "spend", title: "Go on?", preview: preview("text", "200 requests") };
  },
};
