import type { Attachment } from "../../conversation/input/attachment.js";
import type { BadCommand, UserInput } from "../../conversation/input/parseInput.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import { expandCommand, type OwnCommand, readOwnCommands } from "../../experts/ownCommands.js";
import type { FileSystem } from "../../ports/files.js";
import type { WantedContent } from "../../ports/serverContent.js";
import { visibleLine } from "../../text/visibleText.js";
import { promptCommand, promptHint, requestForPrompt } from "../attachments/serverPrompts.js";

/** What typed text stands for. */
export interface Expanded {
  readonly input: UserInput;
  /** What the conversation shows. Absent: what was typed. */
  readonly shown?: string;
  readonly attached?: readonly Attachment[];
}

/** The commands that are not built in: the workspace's own, and the prompts of MCP servers. */
export class TypedCommands {
  constructor(
    private readonly files: FileSystem,
    private readonly experts: Pick<ExpertServices, "userPlaces" | "serverContent" | "redactor">,
  ) {}

  /** Returns the workspace's own commands, as their files are now. */
  own(): Promise<readonly OwnCommand[]> {
    return readOwnCommands(this.files, this.experts.userPlaces);
  }

  /** Returns the prompts of MCP servers, as commands. Servers that have not been started are started. */
  async prompts(
    wanted: Pick<WantedContent, "withinMs"> = {},
  ): Promise<readonly Omit<OwnCommand, "body">[]> {
    const prompts = (await this.experts.serverContent?.prompts(wanted)) ?? [];
    return prompts.map((prompt) => ({
      name: promptCommand(prompt),
      description: visibleLine(prompt.description, 300),
      hint: promptHint(prompt),
    }));
  }

  /** Returns the request that a command stands for which is no built-in one: the workspace's own, or a server's prompt. */
  async expanded(
    bad: BadCommand & { readonly action: "badCommand" },
    typed: string,
  ): Promise<Expanded> {
    const { name, rest, command } = bad;
    if (command !== undefined) return { input: bad };
    const { experts } = this;
    if (name.includes(":")) {
      const found = await requestForPrompt(bad, experts.serverContent);
      // Texts may begin like the command of a prompt, such as a route.
      if (found === undefined) return { input: { action: "request", text: typed } };
      if (found.type === "bad") return { input: { action: "badCommand", ...found.command } };
      const { text, attachment } = found;
      return { shown: text, input: { action: "request", text }, attached: [attachment] };
    }
    const own = (await this.own()).find((one) => one.name === name);
    if (own === undefined) return { input: bad };
    const text = experts.redactor.text(expandCommand(own, rest));
    return { shown: text, input: { action: "request", text } };
  }
}
