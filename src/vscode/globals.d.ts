/** Globals that every extension host has beside the `vscode` module. */
declare function setTimeout(callback: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;
