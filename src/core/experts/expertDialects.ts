import type { Dialect, DialectName } from "../agent/dialects/dialect.js";
import { nativeDialect, type NativeDialectParts } from "../agent/dialects/nativeDialect.js";
import { commandTools } from "../envelope/commandTools.js";
import { envelopeDialect } from "../envelope/envelopeDialect.js";
import { protocolText } from "../envelope/protocolText.js";
import type { ExpertTask, ExpertWorld } from "./expertRunner.js";

/**
 * The dialects in which an expert can do a task, with the same tools, approvals and report in each.
 *
 * @param world its files are those that the expert may see
 */
export function expertDialects(
  { mode, goal, transcript }: ExpertTask,
  world: Pick<ExpertWorld, "files" | "clock" | "ids" | "patterns" | "web">,
  { tools, accept }: Pick<NativeDialectParts, "tools" | "accept">,
): Record<DialectName, () => Dialect> {
  const { files, clock, ids, patterns, web } = world;
  const { plainText, reports } = mode;
  return {
    native: () => nativeDialect({ tools, accept, plainText }),
    envelope: () => {
      const commands = commandTools(mode.tools, {
        ...{ patterns, web },
        asked: () => [goal, ...transcript.answers].join("\n"),
      });
      const endings = [...tools].filter(([, { kind }]) =>
        kind === "completion" ? reports !== false : kind !== "action",
      );
      const talks = plainText === "question";
      const isPlanner = mode.slug === "rooroo-planner";
      return envelopeDialect({
        tools: new Map([...commands, ...endings]),
        protocol: protocolText({
          commands: [...commands.keys()],
          talks,
          report: reports === false ? "none" : isPlanner ? "planner" : "expert",
        }),
        ...{ talks, files, clock },
        newCallId: () => `call_${ids.hex(24)}`,
      });
    },
  };
}
