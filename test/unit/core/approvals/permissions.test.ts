import assert from "node:assert/strict";
import { permissionsFor } from "../../../../src/core/approvals/permission.js";
import {
  Permissions,
  type PermissionStore,
  type StoredPermission,
} from "../../../../src/core/approvals/permissions.js";
import { CountingIds } from "../../../fakes/countingIds.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { intents } from "./intents.js";

const { write, command } = intents;
const npmTest = command("npm test");

class MemoryGrants implements PermissionStore {
  kept: StoredPermission[] = [];
  list(): Promise<readonly StoredPermission[]> {
    return Promise.resolve(this.kept);
  }
  add(kept: StoredPermission): Promise<void> {
    this.kept.push(kept);
    return Promise.resolve();
  }
  revoke(id: string): Promise<void> {
    this.kept = this.kept.filter((one) => one.id !== id);
    return Promise.resolve();
  }
}

function grants(store?: PermissionStore): Permissions {
  return new Permissions({ clock: new ManualClock(), ids: new CountingIds(), store });
}
const [exactly] = permissionsFor(npmTest, false);

describe("what is allowed beyond a call", () => {
  it("is allowed to its task only, or to all of the session, or to sessions to come", async () => {
    const store = new MemoryGrants();
    const here = grants(store);
    assert.equal(await here.covering(npmTest, "t1", false), undefined);
    await here.add(exactly!, "task", "t1");
    assert.equal(await here.covering(npmTest, "t1", false), "task");
    assert.equal(await here.covering(npmTest, "t2", false), undefined);
    await here.add(exactly!, "session", "t1");
    assert.equal(await here.covering(npmTest, "t2", false), "session");
    assert.deepEqual(store.kept, []);
    assert.equal(await grants(store).covering(npmTest, "t1", false), undefined);
    await here.add(exactly!, "always", "t1");
    assert.equal(await grants(store).covering(npmTest, "t3", false), "always");
    assert.equal(await here.covering(write("a.js"), "t1", false), undefined);
  });

  it("is known to have been allowed of a tool that says something else of itself now", async () => {
    const tool = intents.tool("tickets");
    const [use] = permissionsFor(tool, false);
    const here = grants(new MemoryGrants());
    const changed = { ...tool, bound: "2" } as typeof tool;
    assert.equal(await here.hasChanged(changed), false);
    await here.add(use!, "always", "t1");
    assert.equal(await here.covering(tool, "t2", false), "always");
    assert.equal(await here.covering(changed, "t2", false), undefined);
    assert.equal(await here.hasChanged(changed), true);
    assert.equal(await here.hasChanged(intents.tool("other")), false);
  });

  it("is listed, and asked about again when it is revoked, here or elsewhere", async () => {
    const store = new MemoryGrants();
    const here = grants(store);
    for (const scope of ["task", "session", "always"] as const) {
      await here.add(exactly!, scope, "t1");
    }
    const listed = await here.list();
    assert.deepEqual(
      listed.map(({ scope }) => scope),
      ["task", "session", "always"],
    );
    for (const one of listed.slice(0, 2)) await one.revoke();
    assert.equal(await here.covering(npmTest, "t1", false), "always");
    store.kept = [];
    assert.equal(await here.covering(npmTest, "t1", false), undefined);
    assert.deepEqual(await here.list(), []);
  });

  it("lasts as long as the session where nothing can be kept", async () => {
    const here = grants();
    await here.add(exactly!, "always", "t1");
    assert.equal(await here.covering(npmTest, "t2", false), "session");
  });
});
