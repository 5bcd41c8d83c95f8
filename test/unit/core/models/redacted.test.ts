import assert from "node:assert/strict";
import fc from "fast-check";
import { redacted } from "../../../../src/core/models/redacted.js";

/** Put together here, so that no scanner takes this file for a leak. */
const random = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const made = {
  openAi: `sk-proj-${random}`,
  stripe: `sk_live_${random}`,
  gitHub: `ghp_${random}`,
  gitLab: `glpat-${random}`,
  aws: ["AKIA", "ABCDEFGH12345678"].join(""),
  google: `AIza${random}`,
  slack: `xoxb-${random}`,
  jwt: `eyJ${random}.${random}.${random}`,
  pem: `-----BEGIN RSA PRIVATE KEY-----\n${random}\n${random}\n-----END RSA PRIVATE KEY-----`,
};

describe("a text that is to be shown to others", () => {
  for (const [kind, secret] of Object.entries(made)) {
    it(`has no ${kind} key in it`, () => {
      const text = redacted(`before ${secret} after`);
      assert.equal(text, "before [secret] after");
    });
  }

  it("has no value of a name that says it is secret, and no login in an address", () => {
    assert.equal(redacted('API_KEY="hunter22"'), 'API_KEY="[secret]"');
    assert.equal(redacted("password: correct-horse"), "password: [secret]");
    assert.equal(redacted("Authorization: Bearer abcdef123"), "Authorization: Bearer [secret]");
    assert.equal(redacted('{"token":"abcdef"}'), '{"token":"[secret]"}');
    assert.equal(redacted("https://me:pa55word@host/x"), "https://[secret]@host/x");
  });

  it("is left as it is where nothing is secret, and never takes long", () => {
    const plain = "const total = items.map((item) => item.price); // see https://host/a?b=c\n";
    assert.equal(redacted(plain), plain);
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (text) => {
        assert.equal(redacted(redacted(text)), redacted(text));
      }),
      { numRuns: 200 },
    );
    redacted("-----BEGIN PRIVATE KEY-----".repeat(2000) + "sk-".repeat(20_000));
  });
});
