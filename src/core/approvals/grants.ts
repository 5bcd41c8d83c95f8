import type { Intent } from "../agent/tool.js";
import type { Clock, Ids } from "../ports.js";
import type { ApprovalScope } from "./approver.js";
import { type Grant, grantCovers } from "./grant.js";
import type { GrantStore } from "./grantStore.js";

type Covered = Exclude<ApprovalScope, "once">;

export interface ListedGrant {
  readonly grant: Grant;
  readonly scope: Covered;
  /** ISO 8601, of what holds for good. */
  readonly since?: string;
  revoke(): Promise<void>;
}

interface World {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Absent where nothing can be kept for good. */
  readonly store?: GrantStore | undefined;
}

/**
 * What a person allowed beyond one call. For a task and for the session it is kept in memory only: a
 * grant in a file of the workspace could be forged.
 */
export class Grants {
  readonly #tasks = new Map<string, Grant[]>();
  readonly #session: Grant[] = [];

  constructor(private readonly world: World) {}

  async add(grant: Grant, scope: Covered, taskId: string): Promise<void> {
    switch (scope) {
      case "task":
        this.#tasks.set(taskId, this.#tasks.get(taskId) ?? []);
        this.#tasks.get(taskId)?.push(grant);
        return;
      case "session":
        this.#session.push(grant);
        return;
      case "always":
        // Where nothing can be kept, it holds for as long as it can.
        if (this.world.store === undefined) this.#session.push(grant);
        else {
          await this.world.store.add({
            id: this.world.ids.hex(8),
            since: this.world.clock.now().toISOString(),
            grant,
          });
        }
    }
  }

  /** The narrowest scope in which this is allowed; `undefined` when it is in none. */
  async covering(intent: Intent, taskId: string, isOwn: boolean): Promise<Covered | undefined> {
    const covers = (grant: Grant): boolean => grantCovers(grant, intent, isOwn);
    if (this.#tasks.get(taskId)?.some(covers)) return "task";
    if (this.#session.some(covers)) return "session";
    const kept = await this.world.store?.list();
    return kept?.some(({ grant }) => covers(grant)) ? "always" : undefined;
  }

  /** All that is allowed now, what holds longest last. */
  async list(): Promise<readonly ListedGrant[]> {
    const inMemory = (grants: Grant[], scope: Covered): ListedGrant[] =>
      grants.map((grant) => ({ grant, scope, revoke: () => drop(grants, grant) }));
    const { store } = this.world;
    const kept = (await store?.list()) ?? [];
    return [
      ...[...this.#tasks.values()].flatMap((grants) => inMemory(grants, "task")),
      ...inMemory(this.#session, "session"),
      ...kept.map(({ id, grant, since }) => ({
        grant,
        since,
        scope: "always" as const,
        revoke: async () => store?.revoke(id),
      })),
    ];
  }
}

function drop(grants: Grant[], grant: Grant): Promise<void> {
  const at = grants.indexOf(grant);
  if (at !== -1) grants.splice(at, 1);
  return Promise.resolve();
}
