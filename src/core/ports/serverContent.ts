/** A text that an MCP server makes for people who ask for it, from arguments. */
export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

export interface PromptArgument {
  readonly name: string;
  readonly required: boolean;
}

/** Something that an MCP server lets people read, such as a file or a ticket. */
export interface ServerResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

/** Which of the servers' prompts or resources somebody asks for. */
export interface WantedContent {
  /** The name of the server that is asked. Absent: all are. */
  readonly server?: string;
  /** Milliseconds after which servers that have not answered are left out. Absent: each is waited for. */
  readonly withinMs?: number;
}

/** Milliseconds for which a menu waits for servers that may still be starting. */
export const menuWaitMs = 1_000;

/** What MCP servers offer to people. Servers that have not been started are started. */
export interface ServerContent {
  /** Never rejects; those of servers that cannot be used are left out. */
  prompts(wanted?: WantedContent): Promise<readonly ServerPrompt[]>;
  /** Never rejects; those of servers that cannot be used are left out. */
  resources(wanted?: WantedContent): Promise<readonly ServerResource[]>;
  /** Returns a prompt's text. Throws a `UserError` if the server does not give it. */
  prompt(
    server: string,
    name: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<string>;
  /** Returns a resource's text. Throws a `UserError` if the server does not give it, or it is no text. */
  resource(server: string, uri: string, signal: AbortSignal): Promise<string>;
}
