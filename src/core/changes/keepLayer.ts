import type { DroppedChange, LayerOutcome } from "../agent/commandSandbox.js";
import type { ChangeRecorder } from "../agent/tool.js";
import type { FileSystem } from "../ports/files.js";
import type { LayerChange, SandboxLayer } from "../ports/shell.js";
import { isRecord, maxKept } from "./changeStore.js";
import type { JudgedChange, JudgedLayer } from "./judgeLayer.js";

/** The most files of one command that are recorded for review and undo. */
const mostRecorded = 2000;

interface KeepingServices {
  readonly files: FileSystem;
  readonly changes: ChangeRecorder;
}

/**
 * Applies the permitted changes of a layer to the workspace, after they have been recorded for review and
 * undo. Git's own files come last: first objects, then the names of commits, then what is staged; if a file
 * of one stage cannot be written, the later stages are left out.
 */
export async function keepLayer(
  layer: SandboxLayer,
  { kept, dropped }: JudgedLayer,
  services: KeepingServices,
): Promise<LayerOutcome> {
  const recorded = kept.filter(({ change, ignored }) => !ignored && isRecorded(change));
  const unknown: string[] = [];
  for (const { change } of recorded.slice(0, mostRecorded)) {
    if (!(await record(layer, change, services))) unknown.push(change.path);
  }
  const left: DroppedChange[] = [...dropped];
  try {
    left.push(...(await apply(layer, kept.filter(isOfProject))));
    for (const stage of [0, 1, 2]) {
      const problems = await apply(
        layer,
        kept.filter(({ gitStage }) => gitStage === stage),
      );
      left.push(...problems);
      if (problems.length === 0) continue;
      const rest = kept.filter(({ gitStage }) => gitStage !== undefined && gitStage > stage);
      for (const { change } of rest) {
        left.push({ path: change.path, why: "Other files of git's could not be written." });
      }
      break;
    }
  } finally {
    for (const path of unknown) await services.changes.after(path);
  }
  left.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { dropped: left, unrecorded: Math.max(0, recorded.length - mostRecorded) };
}

/**
 * Returns whether a change is recorded: folders have no content, and records in `.rooroo` are not reviewed.
 */
function isRecorded({ path, kind }: LayerChange): boolean {
  return kind !== "folder" && !isRecord(path);
}

function isOfProject({ gitStage }: JudgedChange): boolean {
  return gitStage === undefined;
}

/**
 * Records a change. Returns `false` if only the fact of the change was recorded, so that its end has to be
 * recorded, too.
 */
async function record(
  layer: SandboxLayer,
  change: LayerChange,
  { files, changes }: KeepingServices,
): Promise<boolean> {
  const { path, kind, size } = change;
  const isReal = (await files.locate(path)).path === path;
  const stat = isReal ? await files.stat(path) : undefined;
  if (size > maxKept || (stat?.size ?? 0) > maxKept) {
    await changes.before(path);
    return false;
  }
  const before = stat?.kind === "file" ? await files.readFile(path) : undefined;
  const after = kind === "file" ? await layer.read(change) : undefined;
  // A link that is made or removed has no content to restore.
  if (before !== undefined || after !== undefined) await changes.writing(path, before, after);
  return true;
}

async function apply(
  layer: SandboxLayer,
  judged: readonly JudgedChange[],
): Promise<readonly DroppedChange[]> {
  if (judged.length === 0) return [];
  const left = await layer.apply(judged.map(({ change }) => change));
  return left.map(({ path, why }) => ({ path, why: reasons[why] }));
}

const reasons = {
  changed: "Somebody else changed it while the command ran.",
  failed: "It could not be written.",
} as const;
