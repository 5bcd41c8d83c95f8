import { html, nothing, type TemplateResult } from "lit";
import type { Attachment, ShownAttachment } from "../../core/conversation/input/attachment.js";
import {
  attachmentDetail,
  attachmentLabel,
} from "../../core/conversation/input/attachmentLabel.js";
import { visibleLine } from "../../core/text/visibleText.js";
import type { RpcClient } from "../../protocol/rpcClient.js";
import "./picture.js";
import { t } from "../text/words.js";

const icons: Readonly<Record<Attachment["kind"], string>> = {
  file: "file",
  folder: "folder",
  symbol: "symbol-method",
  selection: "list-selection",
  problems: "warning",
  terminal: "terminal",
  input: "terminal",
  gitChanges: "source-control",
  commit: "git-commit",
  url: "globe",
  task: "checklist",
  image: "file-media",
  resource: "plug",
  prompt: "plug",
};

/** Kinds of attachments that a click opens. */
const opens: ReadonlySet<Attachment["kind"]> = new Set([
  "file",
  "folder",
  "symbol",
  "selection",
  "problems",
  "gitChanges",
  "url",
  "task",
  "image",
]);

interface ChipActions {
  readonly request: RpcClient["request"];
  /** The name of the model, if it sees no images. */
  readonly blind?: string | undefined;
  /** Takes the attachment with this index away. Absent: it cannot be. */
  readonly remove?: (index: number) => void;
}

/** Renders attachments as chips, each of which says what it is and, if it is not read, why. */
export function attachmentChips(
  attachments: readonly ShownAttachment[],
  actions: ChipActions,
): TemplateResult | typeof nothing {
  if (attachments.length === 0) return nothing;
  return html`<ul class="chips" aria-label=${t("Attached")}>
    ${attachments.map((shown, index) => html`<li>${chip(shown, index, actions)}</li>`)}
  </ul>`;
}

function chip(
  { attachment, problem }: ShownAttachment,
  index: number,
  { request, remove, blind }: ChipActions,
): TemplateResult {
  const { kind } = attachment;
  const label = visibleLine(attachmentLabel(attachment, t), 60);
  const detail = detailOf(attachment);
  const trouble = troubleOf(attachment, problem, blind);
  const title = trouble ?? detail;
  const inner = html`${
      attachment.kind === "image" && trouble === undefined
        ? html`<rooroo-picture .path=${attachment.path} .request=${request}></rooroo-picture>`
        : html`<span
            class=${`codicon codicon-${trouble === undefined ? icons[kind] : "warning"}`}
            aria-hidden="true"
          ></span>`
    }<span class="chip-label">${label}</span>`;
  return html`<span
    class=${trouble === undefined ? "chip" : problem === undefined ? "chip amiss" : "chip amiss refused"}
    title=${title}
    >${
      opens.has(kind)
        ? html`<button
            type="button"
            class="chip-name"
            aria-label=${trouble ?? t("Open {0}", label)}
            @click=${() => {
              request("openAttachment", { attachment }).catch(() => undefined);
            }}
          >
            ${inner}
          </button>`
        : html`<span class="chip-name">${inner}</span>`
    }${
      remove === undefined
        ? nothing
        : html`<button
            type="button"
            class="chip-remove codicon codicon-close"
            title=${t("Remove")}
            aria-label=${t("Remove {0}", label)}
            @click=${() => {
              remove(index);
            }}
          ></button>`
    }</span
  >`;
}

/** Returns what a person has to know of an attachment: that it is not read, or not seen, and why. */
function troubleOf(
  attachment: Attachment,
  problem: string | undefined,
  blind: string | undefined,
): string | undefined {
  const detail = detailOf(attachment);
  if (problem !== undefined) return t("Not attached: {0} {1}", detail, visibleLine(problem, 300));
  if (attachment.kind !== "image" || blind === undefined) return undefined;
  return t("{0}: {1} cannot see images. It is told that there is one.", detail, blind);
}

function detailOf(attachment: Attachment): string {
  return visibleLine(attachmentDetail(attachment, t), 400);
}
