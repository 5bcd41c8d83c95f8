/** A kind of image that models take. `ending` is that of a file's name, without the dot. */
export interface ImageType {
  readonly ending: "png" | "jpg" | "gif" | "webp";
  readonly mime: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
}

const types: readonly (ImageType & { readonly magic: RegExp })[] = [
  { ending: "png", mime: "image/png", magic: /^\x89PNG\r\n\x1a\n/ },
  { ending: "jpg", mime: "image/jpeg", magic: /^\xff\xd8\xff/ },
  { ending: "gif", mime: "image/gif", magic: /^GIF8[79]a/ },
  { ending: "webp", mime: "image/webp", magic: /^RIFF[^]{4}WEBP/ },
];

/** Returns the kind of an image by its first bytes, whatever its name says; `undefined` for anything else. */
export function imageType(bytes: Uint8Array): ImageType | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  return types.find(({ magic }) => magic.test(start));
}
