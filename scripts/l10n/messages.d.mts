/** Returns the messages of the source, each with the files that have it, relative to the root. */
export function sourceMessages(): Map<string, string[]>;

/** Returns the messages that only the command line has: VS Code does not load them. */
export function commandLineMessages(all: ReadonlyMap<string, readonly string[]>): string[];

/** Returns the messages that others than the command line have. */
export function editorMessages(all: ReadonlyMap<string, readonly string[]>): string[];

/** Returns the messages of one file in their order; one that is there twice counts twice. */
export function messagesIn(name: string, text: string): string[];

/** Returns the translations of each language by their English messages: as VS Code reads them, or those of the command line alone. */
export function translationsOfAll(kind?: "bundle" | "cli"): Map<string, Record<string, string>>;
