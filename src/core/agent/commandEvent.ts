/** An event of a command that keeps running after its call has ended. */
export type CommandEvent =
  /** Emitted before the call ends; `toolOutput` events continue until the command itself ends. */
  | { readonly type: "commandRunsOn"; readonly callId: string }
  | {
      readonly type: "commandEnded";
      readonly callId: string;
      readonly ok: boolean;
      readonly output: string;
      readonly durationMs: number;
    };
