import type { InNamedFolder } from "../access/namedFolders.js";
import type { ProposedAction } from "../agent/tool.js";
import type { TaskId } from "../ids.js";
import type { Clock, Ids } from "../ports/system.js";
import type { ApprovalScope } from "./approver.js";
import { type Permission, permissionCovers } from "./permission.js";

/** A permission that is valid until the person revokes it. */
export interface StoredPermission {
  readonly id: string;
  /** The time at which the permission was given, in ISO 8601. */
  readonly since: string;
  /** The name that the file of permissions has for it. */
  readonly grant: Permission;
}

/**
 * Stores permissions for one workspace, in a place of the user's that no file of the workspace can stand for.
 * What another process adds or revokes counts at the next {@link list}.
 */
export interface PermissionStore {
  /**
   * Returns the permissions, oldest first.
   *
   * @throws a `UserError` if they cannot be read
   */
  list(): Promise<readonly StoredPermission[]>;
  /** Adds a permission; resolves when it is on disk. */
  add(kept: StoredPermission): Promise<void>;
  /** Removes a permission; does nothing if it is not there. */
  revoke(id: string): Promise<void>;
}

type Covered = Exclude<ApprovalScope, "once">;

export interface ListedPermission {
  readonly permission: Permission;
  readonly scope: Covered;
  /** The time at which the permission was given, in ISO 8601; only for the scope `always`. */
  readonly since?: string;
  revoke(): Promise<void>;
}

interface Services {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Absent if no permission can be stored permanently. */
  readonly store?: PermissionStore | undefined;
}

/**
 * The permissions beyond one call. Those for a task and for the session are kept in memory only: a permission
 * in a file of the workspace could be forged.
 */
export class Permissions {
  readonly #tasks = new Map<string, Permission[]>();
  readonly #session: Permission[] = [];

  constructor(private readonly services: Services) {}

  async add(permission: Permission, scope: Covered, taskId: TaskId): Promise<void> {
    switch (scope) {
      case "task":
        this.#tasks.set(taskId, this.#tasks.get(taskId) ?? []);
        this.#tasks.get(taskId)?.push(permission);
        return;
      case "session":
        this.#session.push(permission);
        return;
      case "always":
        // Without a store, the permission lasts as long as the process.
        if (this.services.store === undefined) this.#session.push(permission);
        else {
          await this.services.store.add({
            id: this.services.ids.hex(8),
            since: this.services.clock.now().toISOString(),
            grant: permission,
          });
        }
    }
  }

  /** Returns the narrowest scope in which the action is allowed; `undefined` if it is in none. */
  async covering(
    action: ProposedAction,
    taskId: TaskId,
    isOwn: boolean,
    within?: InNamedFolder,
  ): Promise<Covered | undefined> {
    const covers = (permission: Permission): boolean =>
      permissionCovers(permission, action, isOwn, within);
    if (this.#tasks.get(taskId)?.some(covers)) return "task";
    if (this.#session.some(covers)) return "session";
    const kept = await this.services.store?.list();
    return kept?.some(({ grant }) => covers(grant)) ? "always" : undefined;
  }

  /** Returns whether a person has accepted a repository's configuration as it is. */
  async acceptsGit(folder: string, bound: string): Promise<boolean> {
    const { store } = this.services;
    return store !== undefined && acceptsGit(store)(folder, bound);
  }

  /** Returns whether a tool was allowed that says something else of itself now. */
  async hasChanged(action: ProposedAction): Promise<boolean> {
    if (action.access !== "tool") return false;
    const { tool, bound } = action;
    const listed = await this.list();
    return listed.some(
      ({ permission: one }) =>
        one.kind === "tool" && one.tool === tool && one.bound !== "" && one.bound !== bound,
    );
  }

  /** Returns all current permissions; those that last longest come last. */
  async list(): Promise<readonly ListedPermission[]> {
    const inMemory = (permissions: Permission[], scope: Covered): ListedPermission[] =>
      permissions.map((permission) => ({
        permission,
        scope,
        revoke: () => drop(permissions, permission),
      }));
    const { store } = this.services;
    const kept = (await store?.list()) ?? [];
    return [
      ...[...this.#tasks.values()].flatMap((permissions) => inMemory(permissions, "task")),
      ...inMemory(this.#session, "session"),
      ...kept.map(({ id, grant, since }) => ({
        permission: grant,
        since,
        scope: "always" as const,
        revoke: async () => store?.revoke(id),
      })),
    ];
  }
}

/** Returns what tells whether a person has accepted a repository's configuration as it is. */
export function acceptsGit(
  store: Pick<PermissionStore, "list">,
): (folder: string, bound: string) => Promise<boolean> {
  return async (folder, bound) =>
    (await store.list()).some(({ grant }) => isAcceptance(grant, folder, bound));
}

/** Returns whether a permission accepts a repository's configuration. */
export function isAcceptance(grant: Permission, folder: string, bound: string): boolean {
  return grant.kind === "git" && grant.folder === folder && grant.bound === bound;
}

function drop(permissions: Permission[], permission: Permission): Promise<void> {
  const at = permissions.indexOf(permission);
  if (at !== -1) permissions.splice(at, 1);
  return Promise.resolve();
}
