import { imageNote } from "../images/imageNote.js";
import type { KeptImages } from "../images/keptImages.js";
import { mostImages } from "../images/mostImages.js";
import type { MessageImage, ModelMessage } from "../ports/messages.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../ports/model.js";
import { toBase64 } from "../text/base64.js";

/** The most bytes of them all. */
const maxBytes = 15_000_000;

/**
 * Sends the images that messages refer to: transcripts hold only references, so that their cost does not grow. An
 * adapter for a model that does not see replaces them by `imageNote`.
 */
export class ImagingModel implements LanguageModel {
  constructor(
    private readonly model: LanguageModel,
    private readonly images: KeptImages,
  ) {}

  get name(): string {
    return this.model.name;
  }

  get contextTokens(): number | undefined {
    return this.model.contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const hasImages = request.messages.some((one) => "images" in one && one.images);
    const messages = hasImages ? await this.filled(request.messages) : request.messages;
    yield* this.model.respond({ ...request, messages }, signal);
  }

  /** Returns the messages with the content of their images, or with a note in place of it. */
  private async filled(messages: readonly ModelMessage[]): Promise<ModelMessage[]> {
    const filled: ModelMessage[] = [];
    let count = 0;
    let bytes = 0;
    for (const message of messages.toReversed()) {
      if (!("images" in message) || !message.images) {
        filled.unshift(message);
        continue;
      }
      const from = message.role === "tool" ? "tool" : "person";
      const sent: MessageImage[] = [];
      const notes: string[] = [];
      for (const { path, name } of message.images) {
        const image = await this.images.read(path);
        if (image === undefined) notes.push(imageNote(name, "gone", from));
        else if (++count > mostImages || (bytes += image.bytes.length) > maxBytes) {
          notes.push(imageNote(name, "left", from));
        } else {
          const content = { mime: image.type.mime, base64: toBase64(image.bytes) };
          sent.push({ path, name, content });
        }
      }
      const content = [message.content, ...notes].join("\n\n");
      filled.unshift({ ...message, content, images: sent.length > 0 ? sent : undefined });
    }
    return filled;
  }
}
