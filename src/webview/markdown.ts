// A module of its own, because it is the larger half of the page's script and an empty conversation does
// not need it.
export { markdownBlocks } from "./markdownBlocks.js";
export { sanitized } from "./sanitized.js";
