import type { LitElement } from "lit";
import type { ShownAttachment } from "../../core/conversation/input/attachment.js";
import { mostAttachments } from "../../core/conversation/input/mostAttachments.js";
import { toBase64 } from "../../core/text/base64.js";
import type { AttachedPlaces } from "../../protocol/messages.js";
import type { RpcClient } from "../../protocol/rpcClient.js";

/** The types of images that models take. */
const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

type Host = LitElement & { readonly request: RpcClient["request"] };

/**
 * What is attached to the draft: images that are pasted, files that are dropped on the composer or chosen in a dialog.
 * The host judges each of them; what it refuses, the panel shows.
 */
export class DraftAttachments {
  private list: readonly ShownAttachment[] = [];
  private dropping = false;

  constructor(
    private readonly composer: Host,
    private readonly onChange: () => void,
    private readonly onProblem: (problem: string) => void,
  ) {}

  get all(): readonly ShownAttachment[] {
    return this.list;
  }

  set all(list: readonly ShownAttachment[]) {
    this.list = list;
    this.composer.requestUpdate();
  }

  /** Whether something is dragged over the composer that it would take. */
  get isDropping(): boolean {
    return this.dropping;
  }

  /** Attaches what is not attached yet. */
  add(attachments: readonly ShownAttachment[]): void {
    if (attachments.length === 0) return;
    const known = new Set(this.list.map(keyOf));
    const added = attachments.filter((one) => !known.has(keyOf(one)));
    this.all = [...this.list, ...added].slice(0, mostAttachments);
    this.onChange();
  }

  remove(index: number): void {
    this.all = this.list.filter((_, at) => at !== index);
    this.onChange();
  }

  /** Opens the dialog for files, folders and images. */
  readonly pick = (): void => {
    void this.places(this.composer.request("pickAttachments", {}));
  };

  readonly paste = (event: ClipboardEvent): void => {
    const images = imagesOf(event.clipboardData);
    if (images.length === 0) return;
    event.preventDefault();
    void this.images(images);
  };

  readonly dragOver = (event: DragEvent): void => {
    if (event.dataTransfer === null || !takes(event.dataTransfer)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    this.setDropping(true);
  };

  readonly dragLeave = (): void => {
    this.setDropping(false);
  };

  readonly drop = (event: DragEvent): void => {
    this.setDropping(false);
    const { dataTransfer } = event;
    if (dataTransfer === null || !takes(dataTransfer)) return;
    event.preventDefault();
    const uris = urisOf(dataTransfer);
    if (uris.length > 0) void this.places(this.composer.request("attachUris", { uris }));
    else void this.images([...dataTransfer.files]);
  };

  private setDropping(dropping: boolean): void {
    if (dropping === this.dropping) return;
    this.dropping = dropping;
    this.composer.requestUpdate();
  }

  private async places(asked: Promise<AttachedPlaces>): Promise<void> {
    try {
      const { attachments, problem } = await asked;
      this.add(attachments);
      if (problem !== undefined) this.onProblem(problem);
    } catch {
      // The panel shows the problem.
    }
  }

  private async images(files: readonly File[]): Promise<void> {
    for (const file of files) {
      try {
        const data = await base64Of(file);
        this.add([await this.composer.request("attachImage", { name: file.name, data })]);
      } catch {
        // The panel shows the problem.
      }
    }
  }
}

function keyOf({ attachment }: ShownAttachment): string {
  return JSON.stringify(attachment);
}

function takes(data: DataTransfer): boolean {
  return ["text/uri-list", "application/vnd.code.uri-list", "Files"].some((type) =>
    data.types.includes(type),
  );
}

/** Returns the addresses of dropped files, as VS Code's explorer and tabs, and systems, give them. */
function urisOf(data: DataTransfer): string[] {
  const list = data.getData("application/vnd.code.uri-list") || data.getData("text/uri-list");
  const uris = list.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(uris)].filter((uri) => uri !== "" && !uri.startsWith("#")).slice(0, 50);
}

function imagesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => imageTypes.includes(type));
}

async function base64Of(file: File): Promise<string> {
  // The host says of what is longer than this that it is too large.
  const bytes = new Uint8Array(await file.slice(0, 5_000_001).arrayBuffer());
  return toBase64(bytes);
}
