import type * as z from "zod";
import type { Tool } from "../../../agent/tool.js";
import { inRunNames } from "./inRunNames.js";

interface Name<Given, Own> {
  readonly name: string;
  readonly description?: string;
  readonly parameters: z.ZodType<Given>;
  /** Converts the arguments to those of the original tool. */
  readonly own: (args: Given) => Own;
}

/** Returns a tool under another name, with the same guard, approvals and results. */
export function renamed<Given, Own>(
  tool: Tool<Own>,
  { name, description = tool.description, parameters, own }: Name<Given, Own>,
): Tool<Given> {
  // The output of commands and web pages must not be reworded.
  const isOurs = tool.access === "read" || tool.access === "write";
  return {
    kind: "action",
    name,
    description,
    parameters,
    access: tool.access,
    ...(tool.needs === undefined ? {} : { needs: tool.needs }),
    title: (args) => tool.title(own(args)),

    async prepare(args, context) {
      const prepared = inRunNames(await tool.prepare(own(args), context));
      if ("ok" in prepared || !isOurs) return prepared;
      return { ...prepared, run: async (granted) => inRunNames(await prepared.run(granted)) };
    },
  };
}
