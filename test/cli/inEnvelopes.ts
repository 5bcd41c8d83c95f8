import { asksInEnvelope, commands, observed, reports } from "../fakes/envelopes.js";
import type { HttpModelRequest, HttpReply, HttpScript } from "../fakes/httpModel.js";
import type { ScriptedResponse } from "../fakes/scriptedModel.js";

/**
 * Plays a script made for native calls in envelopes: what it calls becomes commands, and it is told of
 * their observations as if they were results.
 */
export function inEnvelopes(script: HttpScript): HttpScript {
  return async (request, index) => {
    const isTriage = request.messages[0]?.content?.includes("You are rooroo-navigator") === true;
    const tools = isTriage ? ["triage"] : ["some"];
    const reply = await script({ ...request, tools, results: resultsIn(request) }, index);
    if ("status" in reply) return reply;
    const [call] = reply.toolCalls ?? [];
    if (call === undefined) return { ...reply, text: envelope(String(reply.text ?? "")) };
    const args = call.arguments as Record<string, unknown>;
    return isTriage ? { text: JSON.stringify(args) } : inEnvelope(call.name, args);
  };
}

function envelope(message: string): string {
  return JSON.stringify({ message });
}

function resultsIn({ messages }: HttpModelRequest): { name: string; content: string }[] {
  return messages.flatMap(({ role, content }) => {
    const text = content ?? "";
    if (role !== "user") return [];
    const [, answer] = /^The user answers: ([^]*)$/.exec(text) ?? [];
    if (answer !== undefined) return [{ name: "ask_followup_question", content: answer }];
    if (!text.startsWith('{"observation_for_llm"')) return [];
    const { stdout, stderr, exit_code } = observed(text).observation_for_llm;
    return [{ name: "", content: `Exit code ${exit_code}\n${stdout}${stderr}` }];
  });
}

function inEnvelope(name: string, args: Record<string, unknown>): ScriptedResponse {
  switch (name) {
    case "execute_command":
      return commands({ shell: "bash", run: args["command"], cwd: "." });
    case "list_files":
      return commands({ read: { path: "." } });
    case "read_file":
      return commands({ read: { path: args["path"] } });
    case "edit_file":
      return commands({
        replace: { files: [args["path"]], raw: args["old_text"], replacement: args["new_text"] },
      });
    case "write_to_file":
      return commands({
        unescape_string: { path: args["path"], text: JSON.stringify(args["content"]) },
      });
    case "ask_followup_question":
      return asksInEnvelope(String(args["question"]), args["suggestions"] as string[]);
    case "attempt_completion":
      return reports(args);
    default:
      throw new Error(`no envelope for ${name}`);
  }
}

/** Returns a server whose model has no tools, and which knows no form for answers. */
export function refusesTools(script: HttpScript): HttpScript {
  return (request, index): HttpReply | Promise<HttpReply> => {
    if (request.tools.length > 0) {
      return { status: 400, message: `${request.model} does not support tools` };
    }
    if (request.responseFormat !== undefined) {
      return { status: 400, message: "'response_format' of type 'json_schema' is not supported" };
    }
    return script(request, index);
  };
}
