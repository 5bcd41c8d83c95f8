import * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import type { Web } from "../../ports/web.js";
import { visibleLine, visibleText } from "../../text/visibleText.js";
import { words } from "../../text/words.js";
import { failed } from "../../tools/calls/failed.js";
import { browsedAddress } from "../envelope.js";

const maxCharacters = 60_000;

const parameters = z.object({ run: z.string() });
type Arguments = z.infer<typeof parameters>;

/**
 * R-ENV-10: Fetches an address with GET. The exit code is 0 for a status from 200 to 299, otherwise the
 * status.
 */
export function browseCommand(web: Web): Tool<Arguments> {
  return {
    kind: "action",
    name: "browse",
    description: "Fetch a web address.",
    parameters,
    access: "web",
    title: ({ run }) => visibleLine(browsedAddress(run) ?? run),

    prepare({ run }, context) {
      const address = browsedAddress(run);
      if (address === undefined)
        return Promise.resolve(
          failed(`${run} names no web address. Give one that begins with https://.`),
        );
      return Promise.resolve({
        action: {
          access: "web",
          title: words("Fetch {address}", { address: visibleLine(address) }),
          address,
          preview: { kind: "address", text: visibleText(address) },
        },
        run: async () => {
          const answer = await web.get(address, context.signal);
          const ok = answer.status >= 200 && answer.status < 300;
          const elsewhere =
            answer.redirectsTo === undefined
              ? ""
              : `It sends you to ${answer.redirectsTo}; browse that if you need it.\n`;
          const text = answer.text.slice(0, maxCharacters);
          const truncated = answer.truncated || text.length < answer.text.length;
          return {
            ok,
            content: `Status ${answer.status}\n${elsewhere}${text}`,
            printed: {
              stdout: elsewhere + text,
              stderr: ok ? "" : `Status ${answer.status}`,
              exitCode: ok ? 0 : answer.status,
              truncated,
              killed: false,
            },
          };
        },
      });
    },
  };
}
