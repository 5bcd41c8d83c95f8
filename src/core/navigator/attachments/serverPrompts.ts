import type { Attachment } from "../../conversation/input/attachment.js";
import type { BadCommand } from "../../conversation/input/parseInput.js";
import type { PromptArgument, ServerContent, ServerPrompt } from "../../ports/serverContent.js";

/** Returns the command of a prompt, without its slash. */
export function promptCommand({ server, name }: Pick<ServerPrompt, "server" | "name">): string {
  return `${server}:${name}`;
}

/** Returns how a prompt's arguments are typed, as in `city [country]`. */
export function promptHint({ arguments: all }: ServerPrompt): string {
  return all.map(({ name, required }) => (required ? name : `[${name}]`)).join(" ");
}

/** A command with the name of a server, as it is understood. */
type PromptRequest =
  | { readonly type: "request"; readonly text: string; readonly attachment: Attachment }
  /** An argument is missing. */
  | { readonly type: "bad"; readonly command: BadCommand };

/**
 * Returns the request that a server's prompt stands for; `undefined` if there is no such prompt. The prompt's text does
 * not become the user's words, because those count for more: it is attached.
 */
export async function requestForPrompt(
  { name, rest }: BadCommand,
  content: ServerContent | undefined,
): Promise<PromptRequest | undefined> {
  const [server = ""] = name.split(":", 1);
  const prompts = (await content?.prompts({ server })) ?? [];
  const prompt = prompts.find((one) => promptCommand(one) === name);
  if (prompt === undefined) return undefined;
  if (promptArguments(rest, prompt.arguments) === undefined) {
    const argument = prompt.arguments.filter(({ required }) => required).map((one) => one.name);
    const { description } = prompt;
    const parse = () => undefined;
    const command = { name, argument: argument.join(" "), description, parse };
    return { type: "bad", command: { name, rest, command } };
  }
  const about = rest === "" ? "" : `, for: ${rest}`;
  return {
    type: "request",
    text: `Do what the attached prompt ${name} says${about}`,
    attachment: { kind: "prompt", server: prompt.server, name: prompt.name, input: rest },
  };
}

/**
 * Returns a prompt's arguments as they were typed, one word or quoted text each, the last one with all that follows;
 * `undefined` if one is missing.
 */
export function promptArguments(
  typed: string,
  wanted: readonly PromptArgument[],
): Record<string, string> | undefined {
  const given: [string, string][] = [];
  let rest = typed.trim();
  for (const [index, { name, required }] of wanted.entries()) {
    const isLast = index === wanted.length - 1;
    const [whole = "", quoted, bare = ""] =
      (isLast ? /^(?:"([^"]*)"|(\S[\s\S]*))$/ : /^(?:"([^"]*)"|(\S+))\s*/).exec(rest) ?? [];
    if (whole === "" && required) return undefined;
    if (whole !== "") given.push([name, quoted ?? bare]);
    rest = rest.slice(whole.length);
  }
  return Object.fromEntries(given);
}
