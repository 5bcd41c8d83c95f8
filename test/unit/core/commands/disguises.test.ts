import { nothingRunsUnasked } from "./nothingRunsUnasked.js";

describe("a dangerous command in disguise", () => {
  // The contract tests try more of them.
  nothingRunsUnasked(20_261);
});
