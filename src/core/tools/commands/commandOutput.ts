import * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import { words } from "../../text/words.js";
import { failed } from "../calls/failed.js";
import { newOutputOf } from "./executeCommand.js";

const maxSeconds = 600;
/**
 * Milliseconds to wait for a stopped command: a little more than the time between asking it to end
 * and forcing it to.
 */
const stopMs = 10_000;

const parameters = z.object({
  id: z.string().describe("As in c1"),
  wait_seconds: z.number().min(0).nullish().describe("At most, for output"),
  stop: z.boolean().nullish(),
});
type Arguments = z.infer<typeof parameters>;

export const commandOutput: Tool<Arguments> = {
  kind: "action",
  name: "command_output",
  description: "New output of a background command; or stop it. All end with your task.",
  parameters,
  access: "none",
  title: ({ id, stop }) => (stop === true ? words("{command} (stop)", { command: id }) : id),

  prepare({ id, wait_seconds, stop }, { commands, clock, signal }) {
    const command = commands.find(id);
    if (command === undefined) {
      const ids = commands.runningOn.map((one) => one.id).join(", ");
      return Promise.resolve(
        failed(
          ids === ""
            ? `No command runs on here as ${id}: all end when a task pauses. Start it again if you need it.`
            : `There is no command ${id}. Name one of these, which run: ${ids}.`,
        ),
      );
    }
    return Promise.resolve({
      action: undefined,
      run: async () => {
        if (stop === true) command.stop();
        const ms = stop === true ? stopMs : Math.min(wait_seconds ?? 0, maxSeconds) * 1000;
        await command.wait(ms, { clock, signal, forOutput: stop !== true });
        return newOutputOf(command);
      },
    });
  },
};
