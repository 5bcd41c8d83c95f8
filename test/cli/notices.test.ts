import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { listFiles, PackageManager } from "@vscode/vsce";
import type { Metafile } from "esbuild";

type Product = "extension" | "rooroo";
interface Bill {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly licenses: readonly unknown[];
  }[];
}

/** The repository, seen from where the compiled test lies. */
const root = join(import.meta.dirname, "..", "..", "..");
// Scripts are not compiled, so they are found from the root and not from here.
const script = async (path: string) =>
  (await import(pathToFileURL(join(root, "scripts", path)).href)) as unknown;
const { products, metafileOf, packagesIn } = (await script("build/products.mjs")) as {
  products: Record<
    Product,
    { bundles: readonly string[]; copied: readonly string[]; notices: string }
  >;
  metafileOf: (bundle: string) => Metafile;
  packagesIn: (product: Product) => readonly { name: string; version: string; license: string }[];
};
const { softwareBill } = (await script("build/softwareBill.mjs")) as {
  softwareBill: (packages: ReturnType<typeof packagesIn>) => Promise<Bill>;
};
/** Returns the packages whose code is in a product's bundles, as `zod 4.6.7`, by what esbuild says of them. */
async function bundled(product: Product): Promise<ReadonlySet<string>> {
  const metafiles = products[product].bundles.map(metafileOf);
  const files = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 0),
    ),
  );
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]*\/)?[^/]*/.exec(file) ?? []);
  const manifests = [...new Set(folders)].map((folder) =>
    readFile(join(root, folder, "package.json"), "utf8"),
  );
  const known = (await Promise.all(manifests)).map(
    (text) => JSON.parse(text) as { name: string; version: string },
  );
  return new Set(known.map(({ name, version }) => `${name} ${version}`));
}

// The suite has built the bundles.
describe("what ships of others", () => {
  for (const product of ["extension", "rooroo"] as const) {
    it(`has a notice for each package that is bundled: ${product}`, async () => {
      const notices = await readFile(join(root, products[product].notices), "utf8");
      const packages = await bundled(product);
      assert.ok(packages.size > 70, String(packages.size));
      const without = [...packages].filter((one) => !notices.includes(`\n${one} (`));
      assert.deepEqual(without, []);
      for (const name of ["pdfjs-dist", "tree-sitter-bash", "web-tree-sitter"]) {
        assert.ok(notices.includes(`\n${name} `), name);
      }
    });
  }

  it("goes into the VSIX with its notices, bundled, or copied and named there, and nothing else does", async () => {
    // Apart from all that does not ship, through which the tool would look for half a minute.
    const folder = await mkdtemp(join(tmpdir(), "rooroo-vsix-"));
    for (const name of ["dist", "package.json", ".vscodeignore"]) {
      await cp(join(root, name), join(folder, name), { recursive: true });
    }
    const files = await listFiles({ cwd: folder, packageManager: PackageManager.None });
    await rm(folder, { recursive: true, force: true });
    assert.ok(files.includes(products.extension.notices));
    const { bundles, copied } = products.extension;
    const known = new Set([
      ...bundles.flatMap((name) => Object.keys(metafileOf(name).outputs)),
      ...copied.map((path) => basename(path)),
    ]);
    const own = /^dist\/(webview\/words\.[\w-]+\.js|README\.md|ThirdPartyNotices\.txt)$/;
    const others = files.filter(
      (file) =>
        file.startsWith("dist/") &&
        !known.has(file) &&
        !known.has(basename(file)) &&
        !own.test(file),
    );
    assert.deepEqual(others, []);
  });

  it("is listed in the software bill of materials, with version and license, and nothing else is", async () => {
    const packages = packagesIn("extension");
    const { metadata, components } = await softwareBill(packages);
    assert.equal(metadata.component.name, "rooroo-navigator");
    const listed = components.map(({ name, version }) => `${name} ${version}`);
    assert.deepEqual(
      [...(await bundled("extension"))].filter((one) => !listed.includes(one)),
      [],
    );
    assert.deepEqual(
      listed.sort(),
      packages.map(({ name, version }) => `${name} ${version}`).sort(),
    );
    assert.ok(components.every(({ licenses }) => licenses.length > 0));
    const hosts = JSON.stringify(components).match(/https?:\/\/[^/"]*/g) ?? [];
    assert.deepEqual(
      hosts.filter((host) => /npm|registry/.test(host)),
      [],
    );
  });
});
