import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { empty, rooroo } from "../editor/extensions.mjs";
import { hosts } from "../editor/hosts.mjs";
import { lacksEditor } from "../editor/lacksEditor.mjs";
import { median } from "../harness/median.mjs";
import { notMeasured, row } from "../harness/row.mjs";

/**
 * Loading and activating the packaged extension, and what its host then needs more than one in which
 * an empty extension was activated. Each in an extension host of its own that has just started.
 *
 * @param {{ quick: boolean }} options
 */
export async function activation({ quick }) {
  const lacks = await lacksEditor();
  if (lacks !== undefined) return [notMeasured("load and activate", lacks)];
  const { fresh } = await hosts({ quick });
  const restSeconds = quick ? 1 : 8;
  const goal = (/** @type {number} */ most) => (quick ? null : most);
  const [ours, theirs] = [newSeen(), newSeen()];
  for (let start = 0; start < (quick ? 1 : 5); start++) {
    for (const [{ id }, seen] of /** @type {const} */ ([
      [rooroo, ours],
      [empty, theirs],
    ])) {
      const host = await fresh();
      seen.activation.push(await host.activate(id));
      await pause(restSeconds * 1_000);
      seen.mebibytes.push(await residentMebibytes(host.pid));
    }
  }
  const [own, base] = [ours, theirs].map(({ activation: all, mebibytes }) => ({
    ms: median(all.map(({ ms }) => ms)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
    mebibytes: median(mebibytes),
  }));
  return [
    row("load and activate", own.ms, "ms", goal(60)),
    row("load and activate, processor time", own.cpuMs, "ms"),
    row("an empty extension", base.ms, "ms"),
    row("an empty extension, processor time", base.cpuMs, "ms"),
    row(`memory added after ${restSeconds} s`, own.mebibytes - base.mebibytes, "MiB", goal(12)),
    row("host with an empty extension", base.mebibytes, "MiB"),
  ];
}

function newSeen() {
  return {
    /** @type {{ ms: number, cpuMs: number }[]} */ activation: [],
    /** @type {number[]} */ mebibytes: [],
  };
}

/** @param {number} pid */
async function residentMebibytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
