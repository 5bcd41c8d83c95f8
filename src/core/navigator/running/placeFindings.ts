import { IgnoredFiles } from "../../access/ignoredFiles.js";
import type { Finding } from "../../conversation/events/finding.js";
import { UserError } from "../../errors.js";
import type { WorkspaceHost } from "../../experts/workspaceHost.js";
import { splitLines } from "../../text/lines.js";
import { decodeText } from "../../text/textFile.js";
import { judgePlace } from "../attachments/attachmentProblem.js";

/** The most bytes of a file whose lines are counted. */
const maxRead = 10_000_000;

/**
 * Puts findings at lines that exist: one beyond the end of its file goes to the last line. Of a file that is not there,
 * or that experts may not see, the finding stays, without a line.
 */
export async function placeFindings(
  findings: readonly Finding[],
  host: Pick<WorkspaceHost, "files" | "documents">,
): Promise<Finding[]> {
  const hidden = new IgnoredFiles(host.files).once();
  const counts = new Map<string, Promise<FoundFile | undefined>>();
  const countOf = (path: string) => {
    const known = counts.get(path) ?? countLines(path, host, hidden);
    counts.set(path, known);
    return known;
  };
  return Promise.all(
    findings.map(async (finding) => {
      const given = finding.path.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
      const found = await countOf(given);
      if (found === undefined) return { ...finding, line: null, endLine: null };
      const { path, lines } = found;
      if (finding.line === null) return { ...finding, path, endLine: null };
      const line = Math.min(finding.line, lines);
      const endLine = Math.min(Math.max(finding.endLine ?? line, line), lines);
      return { ...finding, path, line, endLine };
    }),
  );
}

interface FoundFile {
  readonly path: string;
  /** At least 1. */
  readonly lines: number;
}

async function countLines(
  given: string,
  { files, documents }: Pick<WorkspaceHost, "files" | "documents">,
  hidden: Parameters<typeof judgePlace>[2],
): Promise<FoundFile | undefined> {
  const place = await judgePlace(given, files, hidden);
  if (!place.ok || place.kind !== "file") return undefined;
  const { path } = place;
  try {
    const bytes = (await documents?.unsaved(path)) ?? (await files.readRange(path, 0, maxRead));
    const text = decodeText(bytes)?.text;
    return text === undefined ? undefined : { path, lines: Math.max(1, splitLines(text).length) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}
