import { controlFileContent } from "../../access/controlFileContent.js";
import type { LocatedPath } from "../../access/locatedPath.js";
import { isProtected } from "../../access/protectedFiles.js";
import type { Editable, PreparedCall, ToolContext, ToolResult } from "../../agent/tool.js";
import { UserError } from "../../errors.js";
import { withEnds } from "../../text/lines.js";
import { redactionMark } from "../../text/redactor.js";
import {
  decodeText,
  encodeText,
  formatSize,
  sameBytes,
  type TextFile,
} from "../../text/textFile.js";
import { unifiedDiff } from "../../text/unifiedDiff.js";
import { visibleText } from "../../text/visibleText.js";
import { visibleWords } from "../../text/visibleWords.js";
import { type Said, spoken, type Words, words } from "../../text/words.js";
import { failed } from "../calls/failed.js";
import { changedFurther, seenAfterWrite } from "./staleWrite.js";
import { currentBytes } from "./textToEdit.js";

/** A fully computed write: exactly what is approved will be on disk. */
export interface PlannedWrite {
  readonly location: LocatedPath;
  /** `undefined` when the file does not exist yet. */
  readonly before: Uint8Array | undefined;
  /** Whether `before` is an editor's unsaved content, which will be saved with the edit in it. */
  readonly unsaved: boolean;
  readonly after: Uint8Array;
  /** The message to the model when the write is done. */
  readonly done: string;
  /** Whether this does only a part of what was asked for; `done` says which. */
  readonly partial?: boolean;
  /** Whether the agent wrote all of `after`, and so knows all of it. */
  readonly isWhole?: boolean;
}

/**
 * Prepares a write without making it.
 *
 * @throws a {@link UserError} for one that would write the mark of a redacted key: the model has
 *   read a file without its key, and would put the mark in the key's place
 */
export function preparedWrite(plan: PlannedWrite, context: ToolContext): PreparedCall {
  const { location, before, unsaved } = plan;
  if (marksIn(plan.after) > marksIn(before)) {
    throw new UserError(
      "redactionWritten",
      "{path} was not written: the text has {mark}, which stands for a key that you are not shown. Change only lines without it, or ask the user to make this change.",
      { path: visibleText(location.path), mark: redactionMark },
    );
  }
  if (location.inside && !unsaved && before && sameBytes(before, plan.after)) {
    return unchanged(plan, context);
  }
  const diff = diffOf(plan);
  const reason = whyControlled(plan);
  const proposed = decodeText(plan.after);
  return {
    action: {
      access: "write",
      title: before
        ? words("Edit {path}", { path: visibleText(location.path) })
        : words("Create {path}", { path: visibleText(location.path) }),
      path: location.path,
      inside: location.inside,
      preview: { kind: "diff", text: shownDiff(plan, diff) },
      ...(reason === undefined ? {} : { protection: reason }),
    },
    ...(proposed === undefined || proposed.encoding === "unknown"
      ? {}
      : { editable: editableText(plan, proposed, context) }),
    // No other task may write the file between the check and the write.
    run: () => {
      const { problems, signal } = context;
      const work = () => context.alone(location.path, () => write(plan, spoken(diff), context));
      return location.inside && problems ? problems.after(location.path, work, signal) : work();
    },
  };
}

function shownDiff({ unsaved }: PlannedWrite, diff: Said): Said {
  const shown = typeof diff === "string" ? visibleText(diff) : visibleWords(diff);
  return unsaved
    ? words("Unsaved changes in the editor will be saved with this one.\n{diff}", { diff: shown })
    : shown;
}

/** Prepares a write of what is there already: nobody has to be asked about it. */
function unchanged(
  { location: { path }, after, isWhole }: PlannedWrite,
  context: ToolContext,
): PreparedCall {
  return {
    action: undefined,
    run: async () => ({
      ok: true,
      content: `${path} has this content already; nothing was changed.`,
      seen: await seenAfterWrite(path, { before: after, after }, isWhole ?? false, context),
    }),
  };
}

function marksIn(bytes: Uint8Array | undefined): number {
  const text = bytes && decodeText(bytes)?.text;
  return (text ?? "").split(redactionMark).length - 1;
}

/**
 * Returns the new text for the user to edit: its encoding is kept, its line breaks are the user's.
 */
function editableText(
  plan: PlannedWrite,
  { text, encoding }: TextFile,
  context: ToolContext,
): Editable {
  const { path } = plan.location;
  return {
    kind: "file",
    text,
    prepare: async (edited) => {
      const location = await context.guard.locate(path);
      const { bytes: before, unsaved } = await currentBytes(location, context);
      const after = encodeText(edited, encoding);
      // The user has edited what would replace the earlier content, not this one.
      if (!isSame(before, plan.before)) return changed(path);
      const done = `${before ? "Edited" : "Created"} ${path}, as the user changed it.`;
      const { isWhole = false } = plan;
      return preparedWrite({ location, before, unsaved, after, done, isWhole }, context);
    },
    note: (edited) =>
      `The user changed your text before allowing it. What they changed of it:\n${unifiedDiff(path, text, edited)}`,
  };
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : sameBytes(one, other);
}

async function write(plan: PlannedWrite, diff: string, context: ToolContext): Promise<ToolResult> {
  const { location, before, after, partial, isWhole = false } = plan;
  const { path } = location;
  const { files, documents, changes, signal } = context;
  signal.throwIfAborted();
  const unsaved = await documents.unsaved(path);
  if (unsaved && !(before && sameBytes(unsaved, before))) return changed(path);
  await changes.writing(path, before, after);
  const written =
    unsaved && before
      ? await documents.replace(path, after, before)
      : before
        ? await files.replaceLocated(location, after, before)
        : await files.createLocated(location, after);
  if (!written) return changed(path);
  const notes = [plan.done];
  let seen = await seenAfterWrite(path, { before, after }, isWhole, context);
  if (unsaved) notes.push("The user's unsaved changes in the editor were kept and saved with it.");
  // Saving in an editor may run the user's formatter.
  const saved = unsaved && (await files.readFile(location));
  if (saved && !sameBytes(saved, after)) {
    await changes.writing(path, after, saved);
    notes.push("Saving changed the file further, as the editor does it for the user.");
    const states = { before: after, after: saved };
    const further = await changedFurther(location, states, seen, context);
    notes.push(...further.lines);
    ({ seen } = further);
  }
  const content = notes.join("\n");
  return partial
    ? { ok: false, worked: true, content, diff, seen }
    : { ok: true, content, diff, seen };
}

/** Returns why the write is always asked about, unless it is because of the file's name. */
function whyControlled({ location, before, after }: PlannedWrite): Words | undefined {
  const why = location.protection;
  // The policy itself knows the paths that are protected by their names.
  if (why !== undefined) return isProtected(location.path) ? undefined : why;
  const text = decodeText(after)?.text;
  if (text === undefined) return undefined;
  return controlFileContent(location.path, before && decodeText(before)?.text, text);
}

function changed(path: string): ToolResult {
  return failed(
    `${path} was changed by somebody else while this edit waited, so nothing was written. Read it again, then repeat the edit on what it says now.`,
  );
}

function diffOf({ location, before, after }: PlannedWrite): Said {
  const text = decodeText(after)?.text ?? "";
  const old = before && decodeText(before);
  if (before && !old) {
    return words("Replaces a binary file of {size}.\n{diff}", {
      size: formatSize(before.length),
      diff: unifiedDiff(location.path, undefined, text),
    });
  }
  // If all line breaks before and after are CRLF, the diff leaves them out.
  if (old && allCrlf(old.text) && allCrlf(text)) {
    return unifiedDiff(location.path, withEnds(old.text, "\n"), withEnds(text, "\n"));
  }
  return unifiedDiff(location.path, old?.text, text);
}

function allCrlf(text: string): boolean {
  return !/(?<!\r)\n/.test(text);
}
