import type { Attachment } from "../../conversation/input/attachment.js";
import { UserError } from "../../errors.js";
import type { FileSystem } from "../../ports/files.js";
import type { ServerContent } from "../../ports/serverContent.js";

/** The most paths that are looked for in a text. */
const mostMentions = 20;

/** `@path`, `@path:10-20` or `@"a path"`, after a blank or at the beginning. */
const mention = /(?<![^\s([{])@(?:"([^"\n]{1,1000})"|([^\s"@]{1,1000}))/g;

/**
 * Returns what a text names by `@`, each once: the files and folders that are there, with the lines that may follow a
 * file's name, as in `@src/cart.js:10-20`, and resources of MCP servers, as in `@tracker:ticket://12`. Anything else
 * behind an `@` is only text.
 */
export async function typedMentions(
  text: string,
  files: FileSystem,
  content: ServerContent | undefined,
): Promise<Attachment[]> {
  const found = new Map<string, Attachment>();
  for (const [, quoted, bare = ""] of [...text.matchAll(mention)].slice(0, mostMentions)) {
    const spellings =
      quoted === undefined
        ? [bare, bare.replace(/(?<![.,;:!?)\]}'’])[.,;:!?)\]}'’]+$/, "")]
        : [quoted];
    for (const spelling of new Set(spellings)) {
      const attachment =
        (await namedPlace(spelling, files)) ?? (await namedResource(spelling, content));
      if (attachment === undefined) continue;
      found.set(JSON.stringify(attachment), attachment);
      break;
    }
  }
  return [...found.values()];
}

/**
 * Returns the attachment that a path with or without lines names, as in `src/cart.js:10-20`; `undefined` if there is
 * no such file or folder.
 */
export async function namedPlace(
  given: string,
  files: FileSystem,
): Promise<Attachment | undefined> {
  const whole = await kindOf(given, files);
  if (whole !== undefined) return { kind: whole, path: plain(given) };
  const [, path = "", first, last] = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/.exec(given) ?? [];
  if (first === undefined || (await kindOf(path, files)) !== "file") return undefined;
  const from = Math.max(1, Number(first));
  return { kind: "file", path: plain(path), from, to: Math.max(from, Number(last ?? first)) };
}

/** Returns the attachment that a server's name and an address of one of its resources name; `undefined` if there is none. */
async function namedResource(
  given: string,
  content: ServerContent | undefined,
): Promise<Attachment | undefined> {
  // Servers are started only for what can be an address.
  const [, server, uri] = /^([\w.@-]{1,40}):([a-z][a-z0-9+.-]*:.+)$/i.exec(given) ?? [];
  const all = server === undefined ? [] : ((await content?.resources({ server })) ?? []);
  const found = all.find((one) => one.server === server && one.uri === uri);
  return found && { kind: "resource", server: found.server, name: found.uri };
}

async function kindOf(path: string, files: FileSystem): Promise<"file" | "folder" | undefined> {
  try {
    const kind = path === "" ? undefined : (await files.stat(plain(path)))?.kind;
    return kind === "other" ? undefined : kind;
  } catch (error) {
    // A name that the system refuses, or that leads out of the workspace, names no file of it.
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}

function plain(path: string): string {
  const slashed = path.replaceAll("\\", "/").replace(/^\.\//, "");
  return slashed.length > 1 ? slashed.replace(/(?<!\/)\/+$/, "") : slashed;
}
