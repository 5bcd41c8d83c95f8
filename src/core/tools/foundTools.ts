import * as z from "zod";
import type { Tool } from "../agent/tool.js";
import { quoteUntrusted } from "../text/quoteUntrusted.js";
import { spoken } from "../text/words.js";
import { failed } from "./calls/failed.js";

export const findToolsName = "find_tools";
export const useToolName = "use_tool";

/** The most tools that one search finds, and the most characters of their definitions. */
const mostFound = 10;
const mostCharacters = 12_000;
/** The names that tell a model what there is to be found. */
const namesTold = 20;

type HostTool = Tool<Readonly<Record<string, unknown>>>;

/**
 * Returns two tools that stand for many: one finds tools by words in their names and descriptions, the other calls one of
 * them. So a request stays small, however many tools there are.
 */
export function foundTools(tools: readonly HostTool[]): Tool<never>[] {
  return [finding(tools), using(tools)] as unknown as Tool<never>[];
}

function finding(tools: readonly HostTool[]): Tool<{ readonly query: string }> {
  // From the whole list, so that each program's names are among them.
  const step = Math.ceil(tools.length / namesTold);
  const some = tools.filter((_tool, index) => index % step === 0).map(({ name }) => name);
  return {
    kind: "action",
    name: findToolsName,
    description: `Find tools of other programs by words in their names and descriptions. There are ${tools.length}, for example ${some.join(", ")}. Call what is found with ${useToolName}.`,
    parameters: z.object({ query: z.string().describe("A few words") }),
    access: "none",
    title: ({ query }) => query,

    prepare: ({ query }) => {
      const run = () => {
        const found = search(tools, query);
        const content =
          found.length === 0
            ? "No tool has any of these words. Try others."
            : quoteUntrusted(findToolsName, definitions(found));
        return Promise.resolve({ ok: true, content });
      };
      return Promise.resolve({ action: undefined, run });
    },
  };
}

interface Use {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>> | null | undefined;
}

function using(tools: readonly HostTool[]): Tool<Use> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    kind: "action",
    name: useToolName,
    description: `Call a tool of another program that ${findToolsName} has found.`,
    parameters: z.object({
      name: z.string(),
      input: z.record(z.string(), z.unknown()).nullish().describe("As the tool's schema says"),
    }),
    access: "tool",
    title: ({ name, input }) => {
      const tool = byName.get(name);
      return tool === undefined ? "" : `${name} ${spoken(tool.title(input ?? {}))}`;
    },

    prepare: async ({ name, input }, context) => {
      const tool = byName.get(name);
      if (tool !== undefined) return tool.prepare(input ?? {}, context);
      return failed(`There is no tool of this name. Find one with ${findToolsName}.`);
    },
  };
}

/** Returns the tools that have most of the words, the best first; of equals, in their own order. */
function search(tools: readonly HostTool[], query: string): HostTool[] {
  const all = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  // Short words are in nearly everything.
  const long = all.filter((word) => word.length > 2);
  const words = long.length > 0 ? long : all;
  return tools
    .map((tool) => {
      const [name, description] = [tool.name.toLowerCase(), tool.description.toLowerCase()];
      const isWhole = name === query.trim().toLowerCase();
      const points = words.map((word) =>
        name.includes(word) ? 3 : description.includes(word) ? 1 : 0,
      );
      return { tool, points: points.reduce<number>((sum, one) => sum + one, isWhole ? 1_000 : 0) };
    })
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .slice(0, mostFound)
    .map(({ tool }) => tool);
}

/** Returns definitions as lines of JSON, as many as fit; of the others only the names. */
function definitions(tools: readonly HostTool[]): string {
  let left = mostCharacters;
  const lines = tools.map(({ name, description, schema }) => {
    const line = JSON.stringify({ name, description, input: schema });
    if (line.length > left)
      return JSON.stringify({ name, note: "Too long to show here; find it by its name." });
    left -= line.length;
    return line;
  });
  return lines.join("\n");
}
