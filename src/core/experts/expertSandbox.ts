import type { CommandSandbox, SandboxTerms } from "../agent/commandSandbox.js";
import type { ChangeRecorder, PathGuard } from "../agent/tool.js";
import { gitStage, inGitFolder } from "../approvals/gitData.js";
import { protection } from "../approvals/protectedFiles.js";
import { mayHoldSecrets } from "../approvals/secretFiles.js";
import { keepLayer } from "../changes/keepLayer.js";
import type { EditorDocuments, FileSystem, Search } from "../ports.js";
import type { Hidden } from "../tools/hiddenFiles.js";
import { judgeLayer } from "../tools/judgeLayer.js";
import { describeScope, isOwn, type Mode, mayWrite } from "./mode.js";

interface SandboxWorld {
  /** All files, also those that are hidden from experts. */
  readonly files: FileSystem;
  readonly hidden: Hidden;
  readonly guard: PathGuard;
  readonly documents: EditorDocuments;
  readonly search: Pick<Search, "ignored">;
  readonly changes: ChangeRecorder;
  /** Commands write the workspace itself. */
  readonly direct: boolean;
}

/**
 * The sandbox for the commands of one expert: they see what it may see, and of what they change
 * stays what it may write.
 *
 * @param folder the task's own, as in `.rooroo/tasks/ID`
 */
export function expertSandbox(
  mode: Pick<Mode, "slug" | "writes">,
  folder: string,
  world: SandboxWorld,
): CommandSandbox {
  const { files, hidden, guard, documents, search, changes, direct } = world;
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
      // Here a command can write what it likes, and files that code keeps are in those folders.
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
        masks: (path) => isHidden(path) !== undefined || mayHoldSecrets(path),
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
    keep: async (layer, terms) => {
      const isHidden = await hidden.read();
      const judge = { files, isHidden, guard, documents, search, isOwn: isOwnPlace };
      const judged = await judgeLayer(layer, { ...judge, beyond: beyond(terms) });
      return keepLayer(layer, judged, { files, changes });
    },
  };
}
