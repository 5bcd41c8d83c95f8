import * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import type { WebSearchHit } from "../../ports/web.js";
import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { visibleLine, visibleText } from "../../text/visibleText.js";
import { beginningOf } from "../../text/wellFormed.js";
import { words } from "../../text/words.js";
import { failed } from "../calls/failed.js";

const maxExcerpt = 1_000;

const parameters = z.object({ query: z.string().trim().min(1).max(400) });
type Arguments = z.infer<typeof parameters>;

export const webSearch: Tool<Arguments> = {
  kind: "action",
  name: "web_search",
  description: "Search the web.",
  parameters,
  access: "web",
  needs: "webSearch",
  title: ({ query }) => visibleLine(query, 200),

  prepare({ query }, { webSearch: search, signal }) {
    if (search === undefined)
      return Promise.resolve(failed("No web search is set up here. Do without."));
    return Promise.resolve({
      action: {
        access: "web",
        title: words("Search the web for {query}", { query: visibleLine(query) }),
        address: search.address,
        preview: { kind: "text", text: `${search.address}\n${visibleText(query)}` },
      },
      run: async () => {
        const hits = await search.search(query, signal);
        if (hits.length === 0) return { ok: true, content: "Nothing was found." };
        return { ok: true, content: quoteUntrusted(search.address, hits.map(shown).join("\n\n")) };
      },
    });
  },
};

function shown({ title, address, excerpt }: WebSearchHit, index: number): string {
  const text = excerpt.replace(/\s+/g, " ").trim();
  const cut = text.length > maxExcerpt ? `${beginningOf(text, maxExcerpt)}…` : text;
  return `${index + 1}. ${visibleLine(title, 200)}\n${visibleLine(address, 1000)}\n${cut}`.trimEnd();
}
