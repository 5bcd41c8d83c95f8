import * as z from "zod";
import type { AnyTool, Tool } from "../agent/tool.js";
import type { HostTool, HostTools } from "../ports.js";
import { quoteUntrusted } from "./quoteUntrusted.js";
import { spillOutput } from "./spillOutput.js";
import { namedPathsConcern } from "./namedPaths.js";
import { plainOutput } from "./plainOutput.js";
import { visibleLine, visibleText } from "./visibleText.js";

/** Characters. A description is sent with every request, and its author is not trusted. */
const maxDescription = 1_000;
const maxSchema = 8_000;
const maxTools = 64;

const parameters = z.record(z.string(), z.unknown());
type Arguments = z.infer<typeof parameters>;

/**
 * Returns the tools of other programs as tools of an expert. A name that a model could not call, or
 * that is one of ours, is changed, so that none can stand in for ours.
 */
export function hostTools(host: HostTools, taken: readonly string[]): AnyTool[] {
  const names = new Set(taken);
  return host
    .offered()
    .slice(0, maxTools)
    .map((tool) => {
      const name = freeName(tool.name, names);
      names.add(name);
      return hostTool(name, tool, host) as unknown as AnyTool;
    });
}

function hostTool(name: string, tool: HostTool, host: HostTools): Tool<Arguments> {
  const title = visibleLine(tool.name, 100);
  return {
    kind: "action",
    name,
    description: `(Of another program, in its own words.) ${visibleLine(tool.description, maxDescription)}`,
    parameters,
    schema: schemaOf(tool),
    access: "tool",
    title: (input) => visibleLine(JSON.stringify(input), 200),

    async prepare(input, context) {
      const reaches = await namedPathsConcern(input, context.guard);
      return {
        intent: {
          access: "tool",
          title: `Use ${title}`,
          tool: tool.name,
          preview: { kind: "text", text: visibleText(JSON.stringify(input, undefined, 2)) },
          ...(reaches === undefined ? {} : { reaches }),
        },
        run: async () => {
          const answer = plainOutput(await host.call(tool.name, input, context.signal)).trim();
          const { shown, note } = await spillOutput(answer, "txt", context);
          if (shown === "") return { ok: true, content: "It answered with nothing." };
          return { ok: true, content: quoteUntrusted(tool.name, shown) + note };
        },
      };
    },
  };
}

/**
 * Returns the tool's own schema; an empty one if that is not an object's, or too long for every
 * request.
 */
function schemaOf({ parameters: schema }: HostTool): Readonly<Record<string, unknown>> {
  const fits = schema["type"] === "object" && JSON.stringify(schema).length <= maxSchema;
  return fits ? schema : { type: "object", properties: {} };
}

/** Returns a free name that servers accept: letters, digits, `_` and `-`, at most 64. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 56) || "tool";
  if (!taken.has(plain)) return plain;
  for (let number = 1; ; number++) {
    const name = `ext_${plain}${number === 1 ? "" : `_${number}`}`;
    if (!taken.has(name)) return name;
  }
}
