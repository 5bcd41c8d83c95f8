import { isAcceptance, type PermissionStore } from "../../approvals/permissions.js";
import type { Clock, Ids } from "../../ports/system.js";
import { isWords, type Said, type Words, words } from "../../text/words.js";
import type { ReviewedFiles } from "../paths/reviewedFiles.js";
import { gitConfiguration } from "./gitConfiguration.js";
import { findRepository } from "./gitRepository.js";

/** A repository's configuration as a person reviews it. */
export type ReviewedGitConfig =
  | { readonly type: "none"; readonly why: Words }
  | {
      readonly type: "found";
      readonly isAllowed: boolean;
      /** All that accepting it means, in lines. */
      readonly description: readonly Said[];
      /** Stores that the person accepts it, until it changes. */
      readonly allow: () => Promise<void>;
    };

/** Returns the configuration of the workspace's repository, with all that a person has to know to accept it. */
export async function reviewGitConfig({
  files,
  permissions,
  clock,
  ids,
}: {
  readonly files: ReviewedFiles;
  readonly permissions: PermissionStore;
  readonly clock: Clock;
  readonly ids: Ids;
}): Promise<ReviewedGitConfig> {
  const none = (why: Words) => ({ type: "none", why }) as const;
  const repository = await findRepository("", files);
  if (repository === undefined) return none(words("There is no git repository here."));
  if (isWords(repository)) return none(repository);
  const read = await gitConfiguration(repository, files);
  if (isWords(read)) return none(read);
  const { folder, bound, settings } = read;
  if (settings.length === 0) {
    return none(
      words("Nothing in the git configuration of this repository needs your permission."),
    );
  }
  const kept = await permissions.list();
  return {
    type: "found",
    isAllowed: kept.some(({ grant }) => isAcceptance(grant, folder, bound)),
    description: [
      ...settings,
      words(
        "If you allow it, experts run git's commands that only read, such as git status, without asking you about these settings; git may then run the programs that they name. Rooroo's own git still runs none of them.",
      ),
      read.files.length === 0
        ? words(
            "You are asked again when the configuration changes, but not when programs change that it names.",
          )
        : words(
            "You are asked again when the configuration changes, or one of these files: {files}. You are not asked when other files change that such a program loads.",
            { files: read.files.join(", ") },
          ),
    ],
    allow: () =>
      permissions.add({
        id: ids.hex(8),
        since: clock.now().toISOString(),
        grant: { kind: "git", folder, bound },
      }),
  };
}
