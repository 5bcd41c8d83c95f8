import type { ToolDefinition } from "../../core/ports/messages.js";
import type { ModelRequest } from "../../core/ports/model.js";
import { visibleLine } from "../../core/text/visibleText.js";
import { simplified } from "./plainSchema.js";

/** The most requests by which tools at fault are looked for: with more, something else is wrong. */
const mostProbes = 1_000;

/** If this is refused, too, no tool is taken. */
const plainestTool: ToolDefinition = {
  name: "read",
  description: "Reads.",
  // Gemini has refused objects without properties.
  parameters: { type: "object", properties: { text: { type: "string" } } },
};

/** What a server has turned out to take of tools' schemas. It is kept as long as the process runs. */
export class RefusedSchemas {
  private isSimple = false;
  private readonly leftOut = new Set<string>();

  /**
   * Returns the request with the schemas that the server takes, and without the tools that it takes in no form, unless the
   * others are not enough.
   */
  fitted(request: ModelRequest): ModelRequest {
    if (!this.isSimple) return request;
    const rest = request.tools.filter((tool) => !this.leftOut.has(keyOf(tool)));
    const tools = (isEnough(rest, request) ? rest : request.tools).map((tool) => ({
      ...tool,
      parameters: simplified(tool.parameters),
    }));
    return { ...request, tools };
  }

  /**
   * Learns from a refusal that speaks of schemas: first they are simplified, then the tools at fault are looked for.
   *
   * @param isTaken asks the server whether it takes a request with these tools
   * @returns the names of the tools that are left out from now on, or none if schemas are simplified, so that the request may be
   *   tried again; `"all"`: it takes no tool in any form, or those that it takes are not enough; `undefined`: nothing was changed
   */
  async learn(
    request: ModelRequest,
    isTaken: (tools: readonly ToolDefinition[]) => Promise<boolean>,
  ): Promise<readonly string[] | "all" | undefined> {
    if (!this.isSimple) {
      this.isSimple = true;
      return [];
    }
    const { tools } = this.fitted(request);
    const names: string[] = [];
    let probes = 0;
    const takes = (some: readonly ToolDefinition[]) => {
      probes++;
      return isTaken(some);
    };
    let rest = tools;
    // One that refuses a request without tools speaks of something else.
    let isRefused = (await takes([])) && !(await takes(rest));
    if (isRefused && !(await takes([plainestTool]))) return "all";
    let taken = 0;
    while (isRefused && probes < mostProbes) {
      // The smallest number of tools from the beginning that is refused ends with one at fault.
      let refused = rest.length;
      while (refused - taken > 1) {
        const middle = Math.floor((taken + refused) / 2);
        if (await takes(rest.slice(0, middle))) taken = middle;
        else refused = middle;
      }
      const fault = rest[refused - 1];
      if (fault === undefined) break;
      names.push(fault.name);
      rest = rest.filter((tool) => tool !== fault);
      isRefused = !(await takes(rest));
    }
    if (names.length === 0 || probes >= mostProbes) {
      // The tools are not at fault.
      this.isSimple = this.leftOut.size > 0;
      return undefined;
    }
    if (!isEnough(rest, request)) return "all";
    const given = request.tools.filter(({ name }) => names.includes(name));
    for (const tool of given) this.leftOut.add(keyOf(tool));
    return names.map((name) => visibleLine(name, 100));
  }
}

/** Returns whether a refusal speaks of the schemas of tools, in the words of llama.cpp, Gemini, OpenAI, Anthropic, vLLM and proxies. */
export function speaksOfSchemas(status: number | undefined, message: string): boolean {
  if (status !== 400 && status !== 422 && status !== 500) return false;
  if (/tool_choice|context (?:length|window|size)|too (?:long|large|many tokens)/i.test(message)) {
    return false;
  }
  return (
    /schema|grammar|function[_ ]?declaration|functionDeclaration|\$ref|regex|pattern/i.test(
      message,
    ) ||
    /\btools?[.[]\s*\w|['"]tools['"], ?\d|\b(?:any|one|all)_?of\b|function parameters|unsupported type|exclusiveM(?:in|ax)imum|propertyNames|patternProperties|additionalProperties/i.test(
      message,
    ) ||
    /unknown name "(?:const|[a-z]+)" at|failed to (?:parse|initialize) (?:samplers|grammar)/i.test(
      message,
    )
  );
}

/** Returns whether a request can be made with these of its tools: there is one, and the one that has to be called. */
function isEnough(tools: readonly ToolDefinition[], { forcedTool }: ModelRequest): boolean {
  return tools.some(({ name }) => forcedTool === undefined || name === forcedTool);
}

/** A tool that has another schema is another one. */
function keyOf({ name, parameters }: ToolDefinition): string {
  return JSON.stringify([name, parameters]);
}
