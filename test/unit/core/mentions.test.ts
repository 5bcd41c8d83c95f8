import assert from "node:assert/strict";
import { PathIndex } from "../../../src/core/mentions/pathIndex.js";

const paths = [
  "src/cart.js",
  "src/cart/cartTotals.ts",
  "src/shoppingCart.ts",
  "src/chart.js",
  "test/cart.test.js",
  "docs/a cart of things.md",
  "packages/core/src/index.ts",
  "packages/web/src/index.ts",
];

describe("the index of paths", () => {
  const find = (typed: string) => new PathIndex(paths).find(typed, 20);

  it("ranks a name before its folders, and its beginning before its middle", () => {
    assert.deepEqual(find("cart").slice(0, 3), ["src/cart/", "src/cart.js", "test/cart.test.js"]);
    assert.deepEqual(find("CART.JS")[0], "src/cart.js");
    assert.ok(find("cart").indexOf("src/shoppingCart.ts") < find("cart").indexOf("src/chart.js"));
    assert.equal(find("sc")[0], "src/shoppingCart.ts");
  });

  it("finds by letters apart, by folders, and by parts that all have to match", () => {
    assert.equal(find("cttls")[0], "src/cart/cartTotals.ts");
    assert.equal(find("web/ind")[0], "packages/web/src/index.ts");
    assert.deepEqual(find("index web"), ["packages/web/src/index.ts"]);
    assert.deepEqual(find("zzz"), []);
  });

  it("has the folders above files, and forgets what is removed, with all that is in it", () => {
    const index = new PathIndex(paths);
    assert.ok(index.find("pack", 5).includes("packages/"));
    index.remove("packages");
    index.remove("src/cart.js");
    assert.deepEqual(index.find("index", 5), []);
    assert.equal(index.find("cart.js", 5)[0], "test/cart.test.js");
    index.add("src/cart.js");
    assert.equal(index.find("cart.js", 5)[0], "src/cart.js");
    assert.deepEqual(index.find("", 5), []);
  });
});
