/** The folder of the images that people attach. */
export const imagesFolder = ".rooroo/attachments";

/** The path of a kept image: it is named for the SHA-256 of its content, so that nobody can put another in its place. */
export const keptImagePattern = /^\.rooroo\/attachments\/[0-9a-f]{64}\.(png|jpg|gif|webp)$/;
