import * as z from "zod";
import type { ServerPrompt, ServerResource } from "../../core/ports/serverContent.js";
import { visibleText } from "../../core/text/visibleText.js";

const text = z.string().optional().catch(undefined);
const argument = z.object({
  name: z.string(),
  required: z.literal(true).optional().catch(undefined),
});
const prompt = z.object({
  // One with a blank in its name, or what cannot be seen, cannot be typed as a command.
  name: z
    .string()
    .regex(/^\S{1,200}$/)
    .refine((name) => visibleText(name) === name),
  description: text,
  arguments: z.array(z.unknown()).optional().catch(undefined),
});
const resource = z.object({ uri: z.string().min(1), name: text, title: text, description: text });

/** Reads a server's list of prompts entry by entry: an odd one costs none of the others. Never throws. */
export function readPrompts(entries: readonly unknown[], server: string): ServerPrompt[] {
  return entries.flatMap((entry) => {
    const { data } = prompt.safeParse(entry);
    if (data === undefined) return [];
    const { name, description = "", arguments: all = [] } = data;
    const named = all.flatMap((one) => argument.safeParse(one).data ?? []);
    const given = named.map((one) => ({ name: one.name, required: one.required === true }));
    return { server, name, description, arguments: given };
  });
}

/** Reads a server's list of resources in the same way. */
export function readResources(entries: readonly unknown[], server: string): ServerResource[] {
  return entries.flatMap((entry) => {
    const { data } = resource.safeParse(entry);
    if (data === undefined) return [];
    const { uri, name = uri, title = name, description = "" } = data;
    return { server, uri, name: title, description };
  });
}
