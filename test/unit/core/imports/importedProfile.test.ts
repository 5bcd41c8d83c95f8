import assert from "node:assert/strict";
import { importedProfile } from "../../../../src/core/imports/importedProfile.js";

describe("a profile of another tool", () => {
  it("gives its limit of output, unless it is switched off there", () => {
    const given = { apiProvider: "openai", openAiModelId: "m", modelMaxTokens: 900 };
    const limit = (more: object) => {
      const read = importedProfile({
        ...given,
        openAiBaseUrl: "https://models.test/v1",
        ...more,
      });
      assert.ok("profile" in read);
      return read.profile.maxOutputTokens;
    };
    assert.equal(limit({}), 900);
    assert.equal(limit({ includeMaxTokens: true }), 900);
    assert.equal(limit({ includeMaxTokens: false }), undefined);
  });
});
