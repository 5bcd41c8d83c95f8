import assert from "node:assert/strict";
import { inNamedFolder } from "../../../../src/core/access/namedFolders.js";

/** Locates as in the workspace `/home/u/work`, whose links lead nowhere else. */
const files = {
  locate: (path: string) => {
    const root = "/home/u/work";
    const { pathname } = new URL(path, `file://${root}/`);
    const real = pathname.replace(/(.)\/$/, "$1");
    if (real === root) return Promise.resolve({ path: "", inside: true });
    return Promise.resolve(
      real.startsWith(`${root}/`)
        ? { path: real.slice(root.length + 1), inside: true }
        : { path: real, inside: false },
    );
  },
};

async function folderOf(path: string, ...names: string[]): Promise<string | undefined> {
  const document = ".jixo/trip.job.md";
  return (await inNamedFolder(path, { document, names, bound: "1" }, files))?.folder;
}

describe("a folder that a job's file names", () => {
  it("[R-JIXO-2] is found by whatever is in it, inside and outside of the workspace", async () => {
    assert.equal(await folderOf("src/a.txt", "lib", "./src/"), "src");
    assert.equal(await folderOf("src", "src"), "src");
    assert.equal(await folderOf("/home/u/shared/a.txt", "../shared"), "/home/u/shared");
    assert.equal(await folderOf("/data/a.txt", "/data"), "/data");
    assert.equal(await folderOf("srcs/a.txt", "src"), undefined);
    assert.equal(await folderOf("/home/u/shared2/a.txt", "../shared"), undefined);
  });

  it("[R-JIXO-2] is none if it is the workspace or holds it", async () => {
    for (const name of [".", "..", "/home/u", "/home", "/HOME/U", "/", "/home/u/work", "../.."]) {
      for (const path of ["src/a.txt", "/home/u/a.txt", "/HOME/U/a.txt", "/etc/passwd"]) {
        assert.equal(await folderOf(path, name), undefined, `${name}: ${path}`);
      }
    }
  });
});
