import type { AnyTool, ProblemWatch } from "../agent/tool.js";
import type { Charts } from "../ports/charts.js";
import type { HostTools } from "../ports/editor.js";
import type { Web, WebSearch } from "../ports/web.js";
import { hostTools } from "../tools/hostTool.js";
import type { Mode } from "./mode.js";

/**
 * The available tools, and the services that some of them need. A tool whose service is absent is
 * absent, too.
 */
export interface Toolbox {
  readonly tools: readonly AnyTool[];
  readonly web?: Web;
  /** Returns the search service, or `undefined` while none is set up; called at each use. */
  webSearch?(): WebSearch | undefined;
  readonly charts?: Charts;
  readonly problems?: ProblemWatch;
  readonly hostTools?: HostTools;
}

/**
 * Returns the mode's tools in its own order, then the host's tools, then the completion tool.
 *
 * @param sandboxed whether commands can be sandboxed
 * @throws Error when the mode names an unknown tool
 */
export function toolsOf(
  mode: Mode,
  box: Toolbox,
  completion: AnyTool,
  sandboxed: boolean,
): Map<string, AnyTool> {
  const { web, charts, problems } = box;
  const means = { web, webSearch: box.webSearch?.(), charts, problems };
  const own = mode.tools.flatMap((name): AnyTool[] => {
    const tool = box.tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`${mode.slug} names the tool ${name}: there is none`);
    if (tool.kind !== "action") return [tool];
    if (tool.needs !== undefined && means[tool.needs] === undefined) return [];
    return [sandboxed ? (tool.inSandbox ?? tool) : tool];
  });
  const taken = [...box.tools, completion].map(({ name }) => name);
  const others = mode.hostTools && box.hostTools ? hostTools(box.hostTools, taken) : [];
  return new Map([...own, ...others, completion].map((tool) => [tool.name, tool]));
}
