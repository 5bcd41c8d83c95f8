import type { Attachment } from "../../core/conversation/input/attachment.js";
import { KeptImages, maxImageBytes } from "../../core/images/keptImages.js";
import { namedPlace } from "../../core/navigator/attachments/typedMentions.js";
import { localServices } from "../../runtime/localServices.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { workspaceRoot } from "../session/settings.js";
import { type Cli, isOnInput } from "./command.js";
import { pipedInput } from "./pipedInput.js";

/**
 * Returns what goes with a request: what `--attach` names, and what is piped into the command, unless that is the request itself.
 *
 * @param words the request; `-`: it is on standard input
 */
export async function requestAttachments(
  words: readonly string[],
  given: readonly string[],
  cli: Cli,
): Promise<readonly Attachment[]> {
  const named = await namedAttachments(given, cli);
  const piped = isOnInput(words) ? undefined : await pipedInput(cli);
  return piped === undefined ? named : [...named, piped];
}

/**
 * Returns the attachments that `--attach` names: files with or without lines, folders, and images, which may also be
 * outside of the workspace. Throws {@link WrongUse} if there is nothing of that name.
 */
async function namedAttachments(
  given: readonly string[],
  { options }: Cli,
): Promise<readonly Attachment[]> {
  if (given.length === 0) return [];
  const { files } = localServices(await workspaceRoot(options.workspace), "rooroo ask");
  return Promise.all(
    given.map(async (name): Promise<Attachment> => {
      const place = await namedPlace(name, files);
      if (place === undefined) {
        throw new WrongUse(
          "nothingToAttach",
          "There is no file or folder {path} to attach. Name one that exists.",
          {
            path: name,
          },
        );
      }
      const { inside } = await files.locate(name);
      if (inside || place.kind !== "file") return place;
      // The user names the image, so that it may come from anywhere; a copy is kept with the workspace.
      const found = await files.readLocated(name, maxImageBytes);
      const bytes = found?.bytes ?? new Uint8Array();
      const kept = await new KeptImages(files).keep(bytes, name.replace(/^.*[\\/]/, ""));
      return { kind: "image", ...kept };
    }),
  );
}
