import { ServerModel } from "../../src/node/model/serverModel.js";
import { HastyClock } from "../fakes/hastyClock.js";
import { NavigatorStage } from "../fakes/navigatorWorld.js";
import { type Call, UnreliableServer } from "./unreliableServer.js";

export interface UnreliableRun {
  /** How the tasks ended, in order. */
  readonly ends: readonly string[];
  /** What the tasks wrote, by path. */
  readonly contents: ReadonlyMap<string, string | undefined>;
  /** Calls that did their work, as in `write_to_file out/7.md`. */
  readonly worked: readonly string[];
  readonly requests: number;
  readonly faults: ReadonlyMap<string, number>;
  /** Messages of which the panel was told that they are asked for again, or were put right. */
  readonly remarks: number;
  readonly ms: number;
}

/** Runs tasks one after the other against a server that is in trouble for a share of the requests. */
export async function unreliableRun(tasks: number, share: number): Promise<UnreliableRun> {
  const path = (task: string) => `out/${task}.md`;
  const calls = (task: string): Call[] => [
    { name: "write_to_file", args: { path: path(task), content: `begun ${task}` } },
    {
      name: "edit_file",
      args: { path: path(task), old_text: "begun", new_text: "begun, and done:" },
    },
    { name: "attempt_completion", args: { status: "Done", message: `Wrote ${task}` } },
  ];
  const server = await UnreliableServer.start(share, calls);
  try {
    const model = new ServerModel(() => Promise.resolve({ baseUrl: server.url, name: "m1" }));
    const run = { ends: [] as string[], worked: [] as string[], remarks: 0, ms: 0 };
    const contents = new Map<string, string | undefined>();
    // A workspace's logs grow with its tasks, and the fake that keeps them is a slow one.
    for (let first = 0; first < tasks; first += 50) {
      const stage = new NavigatorStage([], { modelFor: () => model, clock: new HastyClock() });
      const began = performance.now();
      const names = Array.from(
        { length: Math.min(50, tasks - first) },
        (_, at) => `t${first + at}`,
      );
      for (const name of names) await stage.navigator.say(`/do task ${name}`);
      run.ms += performance.now() - began;
      run.ends.push(...stage.ends);
      for (const name of names) contents.set(path(name), stage.files.text(path(name)));
      const titles = new Map<string, string>();
      for (const told of stage.events) {
        if (told.type !== "agent") continue;
        const { event } = told;
        if (event.type === "toolStarted") titles.set(event.callId, `${event.tool} ${event.title}`);
        if (event.type === "toolEnded" && event.ok) run.worked.push(titles.get(event.callId) ?? "");
        if (event.type === "retrying" || event.type === "repaired") run.remarks++;
      }
    }
    return { ...run, contents, requests: server.requests, faults: server.told };
  } finally {
    await server.stop();
  }
}
