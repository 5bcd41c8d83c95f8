import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isSigned,
  signatureOf,
  signJson,
  withoutSignature,
} from "../../../../src/core/provenance/signedJson.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const signer = new PlainSigner();

describe("a signed JSON text", () => {
  const value = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 });
  const text = fc.tuple(value, fc.constantFrom(undefined, 2)).map(([json, indent]) => {
    return `${JSON.stringify(json, null, indent)}${indent === undefined ? "" : "\n"}`;
  });

  it("is the same object with one member more, and gives back its text without it", () => {
    fc.assert(
      fc.property(text, (plain) => {
        const signed = signJson(plain, "a", signer);
        const parsed = JSON.parse(signed) as Record<string, unknown>;
        assert.equal(typeof parsed["signature"], "string");
        assert.equal(signatureOf(signed), parsed["signature"]);
        assert.ok(isSigned(signed, "a", signer));
        assert.deepEqual(JSON.parse(withoutSignature(signed)), JSON.parse(plain));
        assert.equal(withoutSignature(plain), plain);
      }),
    );
  });

  it("is valid for its subject, its installation and these very characters only", () => {
    fc.assert(
      fc.property(text, fc.nat(), (plain, at) => {
        const signed = signJson(plain, "a", signer);
        assert.ok(!isSigned(signed, "b", signer));
        assert.ok(!isSigned(signed, "a", new PlainSigner("another installation")));
        const end = signed.lastIndexOf(signatureOf(signed) ?? "");
        const place = at % end;
        const changed = `${signed.slice(0, place)}\u0001${signed.slice(place + 1)}`;
        assert.ok(!isSigned(changed, "a", signer));
        assert.ok(!isSigned(plain, "a", signer));
      }),
    );
  });
});
