// A file of its own, the larger half of the page's script: an empty conversation does without it.
export { markdownBlocks } from "./markdownBlocks.js";
export { sanitized } from "./sanitized.js";
