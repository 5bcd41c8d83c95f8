import * as z from "zod";
import type { PreparedCall, Tool } from "../../../agent/tool.js";
import { visibleLine } from "../../../text/visibleText.js";
import { allOf } from "../../../tools/calls/allOf.js";
import { failed } from "../../../tools/calls/failed.js";
import { webFetch } from "../../../tools/web/webFetch.js";

const mostAddresses = 5;

const parameters = z.object({ prompt: z.string() });
type Arguments = z.infer<typeof parameters>;

/** Reads the pages whose addresses are in a prompt; the agent itself does what the prompt asks about them. */
export const webFetchFunction: Tool<Arguments> = {
  kind: "action",
  name: "web_fetch",
  description: `Read the web pages whose addresses are in the prompt, ${mostAddresses} at most.`,
  parameters,
  access: "web",
  needs: "web",
  title: ({ prompt }) => visibleLine(addressesIn(prompt).join(", ") || prompt, 200),

  async prepare({ prompt }, context) {
    const addresses = addressesIn(prompt);
    if (addresses.length === 0)
      return failed("The prompt has no http: or https: address in it. Give one.");
    if (addresses.length > mostAddresses) {
      return failed(
        `These are ${addresses.length} addresses; ${mostAddresses} at most at once. Give fewer.`,
      );
    }
    const calls: PreparedCall[] = [];
    for (const [index, url] of addresses.entries()) {
      // A long page is kept in a file named after the call, so each needs its own name.
      const callId = index === 0 ? context.callId : `${context.callId}_${index + 1}`;
      const call = await webFetch.prepare({ url }, { ...context, callId });
      if ("ok" in call) return call;
      calls.push(call);
    }
    return allOf(calls, context.signal, (results) => ({
      ok: results.some(({ ok }) => ok),
      worked: results.some(({ worked }) => worked === true),
      content: results.map(({ content }) => content).join("\n\n"),
    }));
  },
};

function addressesIn(prompt: string): string[] {
  const found = prompt.match(/\bhttps?:\/\/[^\s<>"'`|\\^{}]+/gi) ?? [];
  return [...new Set(found.map(withoutSentence))];
}

/** Removes the punctuation of the sentence around an address. */
function withoutSentence(address: string): string {
  const isOpen = /[([]/.test(address);
  return address.replace(
    isOpen ? /(?<![.,;:!?*])[.,;:!?*]+$/ : /(?<![.,;:!?*)\]])[.,;:!?*)\]]+$/,
    "",
  );
}
