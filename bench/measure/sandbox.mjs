import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { timed } from "../harness/timed.mjs";

/** What the sandbox adds to a command that does nothing. */
export async function sandbox({ quick }) {
  const { ProcessShell } = await compiled("node/processShell");
  const shell = new ProcessShell(await scratch(), { sandbox: { data: await scratch() } });
  const ability = await shell.sandbox();
  if (!ability.available) throw new Error(ability.reason);
  const never = new AbortController().signal;
  const profile = { masks: () => false, protects: () => false, network: "none" };
  const request = { command: "true", cwd: "", timeoutMs: 60_000, onOutput: () => undefined };
  const bare = [];
  const inside = [];
  for (let round = 0; round < (quick ? 15 : 60); round++) {
    bare.push(await timed(() => shell.run(request, never)));
    let layer;
    inside.push(
      await timed(async () => {
        ({ layer } = await shell.run({ ...request, sandbox: profile }, never));
      }),
    );
    await layer?.discard();
  }
  const differences = inside.map((value, round) => value - bare[round]);
  return [
    row("a bare command that does nothing (median)", median(bare), "ms"),
    row("what the sandbox adds (median difference)", median(differences), "ms", 15),
  ];
}
