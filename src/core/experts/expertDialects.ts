import type { Dialect, DialectName } from "../agent/dialects/dialect.js";
import { nativeDialect, type NativeDialectParts } from "../agent/dialects/nativeDialect.js";
import type { Transcript } from "../agent/transcript.js";
import { commandTools } from "../envelope/commandTools.js";
import { envelopeDialect, userMessages } from "../envelope/envelopeDialect.js";
import { protocolText } from "../envelope/protocolText.js";
import type { FileSystem } from "../ports/files.js";
import type { Patterns } from "../ports/search.js";
import type { Clock, Ids } from "../ports/system.js";
import type { Web } from "../ports/web.js";
import type { Ending } from "./ending.js";
import type { Mode } from "./mode.js";

interface Task {
  readonly mode: Mode;
  readonly goal: string;
  readonly transcript: Transcript;
  readonly ending: Pick<Ending, "inEnvelopes">;
}

interface Services {
  /** The files that the expert may see. */
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly patterns: Patterns;
  readonly web?: Web;
}

/**
 * Returns the dialects in which an expert can do a task, with the same tools, approvals and report in
 * each.
 */
export function expertDialects(
  { mode, goal, transcript, ending }: Task,
  services: Services,
  { tools, accept }: Pick<NativeDialectParts, "tools" | "accept">,
): Record<DialectName, () => Dialect> {
  const { files, clock, ids, patterns, web } = services;
  const { onPlainText, reports } = mode;
  return {
    native: () => nativeDialect({ tools, accept, onPlainText }),
    envelope: () => {
      const commands = commandTools(mode.tools, {
        patterns,
        web,
        // A task's first message quotes files; a session's messages are the person's own.
        asked: () =>
          [
            goal,
            ...transcript.answers,
            ...(reports === false ? userMessages(transcript.messages) : []),
          ].join("\n"),
      });
      const endings = [...tools].filter(([, { kind }]) =>
        kind === "completion" ? reports !== false : kind !== "action",
      );
      const talks = onPlainText === "question";
      const isPlanner = mode.slug === "rooroo-planner";
      return envelopeDialect({
        tools: new Map([...commands, ...endings]),
        protocol: protocolText({
          commands: [...commands.keys()],
          talks,
          report:
            reports === false
              ? "none"
              : ending.inEnvelopes === undefined
                ? isPlanner
                  ? "planner"
                  : "expert"
                : { form: ending.inEnvelopes },
        }),
        talks,
        files,
        clock,
        newCallId: () => `call_${ids.hex(24)}`,
      });
    },
  };
}
