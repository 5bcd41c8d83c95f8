import * as z from "zod";
import type { Tool, ToolContext, ToolResult } from "../../agent/tool.js";
import type { Web } from "../../ports/web.js";
import { plainOutput } from "../../text/plainOutput.js";
import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { visibleLine, visibleText } from "../../text/visibleText.js";
import { words } from "../../text/words.js";
import { failed } from "../calls/failed.js";
import { spillOutput } from "../calls/spillOutput.js";

const parameters = z.object({ url: z.string() });
type Arguments = z.infer<typeof parameters>;

export const webFetch: Tool<Arguments> = {
  kind: "action",
  name: "web_fetch",
  description: "Read a web page, as Markdown.",
  parameters,
  access: "web",
  needs: "web",
  title: ({ url }) => visibleLine(url, 200),

  prepare({ url }, context) {
    const { web } = context;
    if (web === undefined)
      return Promise.resolve(failed("There is no way to the web here. Do without."));
    const address = webAddress(url);
    if (address === undefined) {
      const given = JSON.stringify(url.slice(0, 200));
      return Promise.resolve(
        failed(`${given} is no http: or https: address without a password. Give one.`),
      );
    }
    return Promise.resolve({
      action: {
        access: "web",
        title: words("Fetch {address}", { address: visibleLine(address, 200) }),
        address,
        preview: { kind: "address", text: visibleText(address) },
      },
      run: () => fetched(address, web, context),
    });
  },
};

/**
 * Returns an address as it will be requested, which may differ from how it looks; `undefined` if it
 * is not allowed.
 */
function webAddress(text: string): string | undefined {
  if (!URL.canParse(text.trim())) return undefined;
  const url = new URL(text.trim());
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    return undefined;
  }
  url.hash = "";
  return url.href;
}

async function fetched(address: string, web: Web, context: ToolContext): Promise<ToolResult> {
  const answer = await web.get(address, context.signal);
  if (answer.redirectsTo !== undefined) {
    return failed(
      `${answer.address} redirects to another site, which was not asked: ${visibleLine(answer.redirectsTo, 2000)} Fetch that if you need it.`,
    );
  }
  const text = plainOutput(answer.text).trim();
  const { shown, note } = await spillOutput(text, "md", context);
  const lines = [`Status ${answer.status}${answer.contentType && `, ${answer.contentType}`}.`];
  lines.push(text === "" ? "It is empty." : quoteUntrusted(answer.address, shown) + note);
  if (answer.truncated) lines.push("(It is longer than what is read of an address.)");
  return { ok: answer.status < 400, worked: true, content: lines.join("\n") };
}
