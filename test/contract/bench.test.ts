import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

type Measurement = (options: {
  readonly quick: boolean;
}) => Promise<readonly { readonly name: string; readonly value: number }[]>;

/** The bench imports compiled modules by their names, so that the compiler does not notice when they change. */
describe("the bench", () => {
  it("loads only modules that exist", () => {
    const files = readdirSync(join(root, "bench"), { recursive: true, encoding: "utf8" });
    const names = files
      .filter((file) => file.endsWith(".mjs"))
      .flatMap((file) => readFileSync(join(root, "bench", file), "utf8").split("\n"))
      .flatMap((line) => /"((?:core|node|protocol|runtime)\/[\w/]+)"/.exec(line)?.[1] ?? []);
    assert.ok(names.length > 20);
    const missing = names.filter((name) => !existsSync(join(root, "src", `${name}.ts`)));
    assert.deepEqual(missing, []);
  });

  // These go through the Navigator, its dialects and a model server; how long they take does not matter here.
  for (const name of ["turn", "longTask"]) {
    it(`measures ${name}`, async () => {
      const path = new URL("../../../bench/measurements.mjs", import.meta.url).href;
      const { measurements } = (await import(path)) as {
        measurements: Readonly<Record<string, Measurement>>;
      };
      const rows = await measurements[name]?.({ quick: true });
      assert.ok(rows !== undefined && rows.length > 0);
      assert.deepEqual(
        rows.filter(({ value }) => !Number.isFinite(value) || value < 0),
        [],
      );
    });
  }
});
