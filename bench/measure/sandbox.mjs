import { ensureBubblewrap } from "../../scripts/host/ensureBubblewrap.mjs";
import { compiled } from "../harness/compiled.mjs";
import { lack } from "../harness/lack.mjs";
import { median } from "../harness/median.mjs";
import { notMeasured, row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { timed } from "../harness/timed.mjs";

/**
 * Measures what the sandbox adds to a command that does nothing, with writable caches and without.
 *
 * @param {{ quick: boolean }} options
 */
export async function sandbox({ quick }) {
  const { ProcessShell } = await compiled("node/shell/processShell");
  const shell = new ProcessShell(await scratch(), { sandbox: { data: await scratch() } });
  const lacks = await lack({
    "a sandbox": async () => {
      await ensureBubblewrap();
      const ability = await shell.sandbox();
      if (!ability.available) throw new Error(ability.reason);
    },
  });
  if (lacks !== undefined) return [notMeasured("what the sandbox adds", lacks)];
  const never = new AbortController().signal;
  const profile = { masks: () => false, protects: () => false, network: "none" };
  const reading = { ...profile, writesCaches: false };
  const writing = { ...profile, writesCaches: true };
  const request = { command: "true", cwd: "", timeoutMs: 60_000, onOutput: () => undefined };
  const runInside = async (sandbox) => {
    let layer;
    const ms = await timed(async () => {
      ({ layer } = await shell.run({ ...request, sandbox }, never));
    });
    await layer?.discard();
    return ms;
  };
  const bare = [];
  const added = { reading: [], writing: [] };
  for (let round = 0; round < (quick ? 3 : 60); round++) {
    const alone = await timed(() => shell.run(request, never));
    bare.push(alone);
    added.reading.push((await runInside(reading)) - alone);
    added.writing.push((await runInside(writing)) - alone);
  }
  const adds = "what the sandbox adds to one that";
  return [
    row("a bare command that does nothing (median)", median(bare), "ms"),
    row(`${adds} only reads (median difference)`, median(added.reading), "ms", 15),
    row(`${adds} may write (median difference)`, median(added.writing), "ms", 15),
  ];
}
