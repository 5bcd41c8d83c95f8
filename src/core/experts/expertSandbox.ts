import { gitStage, inGitFolder } from "../access/gitFolder.js";
import type { IgnoreSource } from "../access/ignoredFiles.js";
import type { PathGuard } from "../access/locatedPath.js";
import { protection } from "../access/protectedFiles.js";
import type { CommandSandbox, SandboxTerms } from "../agent/commandSandbox.js";
import type { ChangeRecorder } from "../agent/tool.js";
import { judgeLayer } from "../changes/judgeLayer.js";
import { keepLayer } from "../changes/keepLayer.js";
import type { EditorDocuments } from "../ports/editor.js";
import type { FileSystem } from "../ports/files.js";
import type { Search } from "../ports/search.js";
import { describeScope, isOwn, type Mode, mayWrite } from "./mode.js";
import { sandboxMasks } from "./sandboxMasks.js";

interface SandboxServices {
  /** The workspace's files, including those that are ignored. */
  readonly files: FileSystem;
  readonly hidden: IgnoreSource;
  readonly guard: PathGuard;
  readonly documents: EditorDocuments;
  readonly search: Pick<Search, "ignored">;
  readonly changes: ChangeRecorder;
  /** Whether commands write to the workspace directly. */
  readonly direct: boolean;
}

/**
 * Returns the sandbox for one expert's commands: they see only what the expert may see, and only those
 * of their changes are kept that the expert may write.
 *
 * @param folder the task's folder, as in `.rooroo/tasks/ID`
 */
export function expertSandbox(
  mode: Pick<Mode, "slug" | "writes">,
  folder: string,
  services: SandboxServices,
): CommandSandbox {
  const { files, hidden, guard, documents, search, changes, direct } = services;
  const isOwnPlace = (path: string) =>
    isOwn(mode.writes, path, folder) &&
    (!path.startsWith(".rooroo/") || path.startsWith(`${folder}/`));
  const beyond =
    ({ keeps }: SandboxTerms) =>
    (path: string): string | undefined => {
      if (isOwnPlace(path)) return undefined;
      if (keeps === "ownFolder") {
        return `Of a command that runs unasked here, only changes in ${folder}/ stay.`;
      }
      // In the sandbox a command can write anything, and .rooroo/ also has files that only code may
      // write.
      if (!path.startsWith(".rooroo/") && mayWrite(mode.writes, path, folder)) return undefined;
      return `${mode.slug} may write only ${describeScope(mode.writes, folder)}.`;
    };
  const leadsToOwn = (path: string) => path === folder || folder.startsWith(`${path}/`);
  return {
    direct,
    canAskToLeave: true,
    profile: async (terms) => {
      const isHidden = await hidden.read();
      const isBeyond = beyond(terms);
      return {
        network: terms.network,
        writesCaches: !terms.onlyReads,
        masks: await sandboxMasks(files, isHidden),
        protects: (path) => {
          if (path === "" || leadsToOwn(path)) return false;
          if (isOwnPlace(path)) return protection(path.replace(/^\.rooroo\//i, "")) !== undefined;
          if (direct && isBeyond(path) !== undefined) return true;
          const git = inGitFolder(path);
          if (git !== undefined) return git.part !== "" && gitStage(git.part) === undefined;
          return protection(path) !== undefined;
        },
      };
    },
    isThere: async (path) => {
      // A word that is no path, such as an expression with a backslash, has `stat` throw.
      return (await files.stat(path).catch(() => undefined)) !== undefined;
    },
    keep: async (layer, terms) => {
      const isHidden = await hidden.read();
      const judge = { files, isHidden, guard, documents, search, isOwn: isOwnPlace };
      const judged = await judgeLayer(layer, { ...judge, beyond: beyond(terms) });
      return keepLayer(layer, judged, { files, changes });
    },
  };
}
