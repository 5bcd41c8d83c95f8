/** What becomes of a command that runs on after its call has ended. */
export type CommandEvent =
  /** Before its call ends; `toolOutput` goes on until it ends itself. */
  | { readonly type: "commandRunsOn"; readonly callId: string }
  | {
      readonly type: "commandEnded";
      readonly callId: string;
      readonly ok: boolean;
      readonly output: string;
      readonly durationMs: number;
    };
