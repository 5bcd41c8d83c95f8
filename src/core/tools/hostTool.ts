import * as z from "zod";
import type { AnyTool, Tool } from "../agent/tool.js";
import { withImages } from "../agent/transcript.js";
import { keepAnswered } from "../images/answeredImages.js";
import type { HostTool, HostTools } from "../ports/editor.js";
import { plainOutput } from "../text/plainOutput.js";
import { quoteUntrusted } from "../text/quoteUntrusted.js";
import { visibleLine, visibleText } from "../text/visibleText.js";
import { words } from "../text/words.js";
import { spillOutput } from "./calls/spillOutput.js";
import { definitionHash } from "./definitionHash.js";
import { findToolsName, foundTools, useToolName } from "./foundTools.js";
import { namedPathsConcern } from "./namedPaths.js";

/** Characters. A description is sent with every request, and its author is not trusted. */
const maxDescription = 1_000;
const maxSchema = 8_000;
/** With more tools than this, an expert is given a search among them instead of all their definitions. */
const mostDefined = 40;

const parameters = z.record(z.string(), z.unknown());
type Arguments = z.infer<typeof parameters>;

/**
 * Returns the tools of other programs as tools of an expert; where there are many, `find_tools` and `use_tool` for all of
 * them. A name that a model could not call, or that is one of ours, is changed, so that none can stand in for ours.
 */
export function hostTools(host: HostTools, taken: readonly string[]): AnyTool[] {
  const own = new Set([...taken, findToolsName, useToolName]);
  const offered = host.offered();
  // Names that can stay as they are come first, so that none depends on the order of the tools.
  const names = new Set([...own, ...offered.map(({ name }) => name)]);
  const tools = offered.map((tool) => {
    const { name } = tool;
    if (acceptedName.test(name) && !own.has(name)) return hostTool(name, tool, host);
    const free = freeName(name, names);
    names.add(free);
    return hostTool(free, tool, host);
  });
  return (tools.length > mostDefined ? foundTools(tools) : tools) as unknown as AnyTool[];
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
      const reaches = await namedPathsConcern(input, context);
      // As it is now, because its program may have ended and begun as another since the model was told of it.
      const now = host.offered().find((one) => one.name === tool.name) ?? tool;
      return {
        action: {
          access: "tool",
          title: words("Use {tool}", { tool: title }),
          tool: tool.name,
          bound: await definitionHash(now),
          ...(now.allowed === undefined ? {} : { allowed: now.allowed }),
          preview: { kind: "text", text: visibleText(JSON.stringify(input, undefined, 2)) },
          ...(reaches === undefined ? {} : { reaches }),
        },
        run: async () => {
          const answer = await host.call(tool.name, input, context.signal);
          const { shown, note } = await spillOutput(
            plainOutput(answer.text).trim(),
            "txt",
            context,
          );
          const given = answer.images ?? [];
          const { images, lines } = await keepAnswered(given, title, context.files);
          const quoted = shown === "" ? [] : [quoteUntrusted(tool.name, shown) + note];
          const said = [...quoted, ...lines].join("\n");
          if (answer.failed === true) {
            const content =
              said === "" ? "It failed and says nothing more." : `It failed:\n${said}`;
            return { ok: false, content, ...withImages(images) };
          }
          const content = said === "" ? "It answered with nothing." : said;
          return { ok: true, content, ...withImages(images) };
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

const acceptedName = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns a free name that servers accept. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 56) || "tool";
  if (!taken.has(plain)) return plain;
  for (let number = 1; ; number++) {
    const name = `ext_${plain}${number === 1 ? "" : `_${number}`}`;
    if (!taken.has(name)) return name;
  }
}
