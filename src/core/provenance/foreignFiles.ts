import { UserError } from "../errors.js";

/** Thrown when files of a task that this installation did not write were about to be acted on. */
export class ForeignFilesError extends UserError {
  override readonly name = "ForeignFilesError";

  /** @param paths workspace paths of the files */
  constructor(
    readonly taskId: string,
    readonly paths: readonly string[],
  ) {
    super(
      "foreignFiles",
      "{files}: not written by this installation, or changed since, so it is not used. Read it, then adopt the task (/adopt {taskId}, or `rooroo adopt {taskId}`) or delete what is not yours.",
      { files: listed(paths), taskId },
    );
  }
}

function listed(paths: readonly string[]): string {
  const last = paths.at(-1) ?? "";
  return paths.length < 2 ? last : `${paths.slice(0, -1).join(", ")} and ${last}`;
}
