import assert from "node:assert/strict";
import { seatbeltProfile } from "../../../../src/node/sandbox/seatbeltSandbox.js";

describe("seatbeltProfile", () => {
  const rules = {
    writable: ["/w", "/private/tmp/t"],
    readOnly: ["/w/.git/hooks"],
    hidden: ["/w/.env", "/Users/me/.ssh"],
    hasNetwork: false,
  };
  const lines = seatbeltProfile(rules).split("\n");
  const at = (line: string) => {
    assert.ok(lines.includes(line), line);
    return lines.indexOf(line);
  };

  it("lets nothing be written but what is named, and of that not what is guarded", () => {
    const nothing = at("(deny file-write*)");
    const workspace = at('(allow file-write* (subpath "/w"))');
    const hooks = at('(deny file-write* (subpath "/w/.git/hooks"))');
    const secret = at('(deny file-read* file-write* (subpath "/w/.env"))');
    // Of two rules for the same thing, the later one counts.
    assert.ok(nothing < workspace && workspace < hooks && workspace < secret);
    at('(deny file-read* file-write* (subpath "/Users/me/.ssh"))');
  });

  it("denies the network unless it is open", () => {
    at("(deny network*)");
    assert.doesNotMatch(seatbeltProfile({ ...rules, hasNetwork: true }), /network/);
  });

  it("lets no path end its text", () => {
    const text = seatbeltProfile({ ...rules, hidden: ['/a")(allow default)\\'] });
    assert.ok(text.includes('(subpath "/a\\")(allow default)\\\\"))'));
  });
});
