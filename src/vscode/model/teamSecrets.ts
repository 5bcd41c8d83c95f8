import type * as vscode from "vscode";
import * as z from "zod";
import { parseJson } from "../../core/documents/parseJson.js";
import { isTeamKey, secretsOf, type TeamAddress } from "../../core/team/teamAddress.js";
import type { Redactor } from "../../core/text/redactor.js";

const secretName = "rooroo.team";
const stored = z.object({ url: z.string().min(1), key: z.string().refine(isTeamKey) });

/**
 * The team's database and key: in VS Code's secret store, else in the environment, and never in settings, so that no
 * folder can name a database.
 */
export class TeamSecrets {
  readonly onDidChange: vscode.Event<void>;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly environment: Readonly<Record<string, string | undefined>>,
    private readonly redactor: Redactor,
  ) {
    this.onDidChange = (listener, thisArg, disposables) =>
      secrets.onDidChange(
        ({ key }) => {
          if (key === secretName) listener.call(thisArg);
        },
        undefined,
        disposables,
      );
  }

  /** Returns the address; `undefined` if there is none. */
  async read(): Promise<TeamAddress | undefined> {
    const text = await this.secrets.get(secretName);
    const json = text === undefined ? undefined : parseJson(text);
    const { ROOROO_TEAM_DATABASE: url = "", ROOROO_TEAM_KEY: key = "" } = this.environment;
    const found =
      json === undefined ? { url: url.trim(), key: key.trim() } : json.ok ? json.value : undefined;
    const parsed = stored.safeParse(found);
    if (!parsed.success) return undefined;
    this.redactor.learn(...secretsOf(parsed.data));
    return parsed.data;
  }

  async store(address: TeamAddress): Promise<void> {
    await this.secrets.store(secretName, JSON.stringify(address));
  }

  /** Forgets what is stored. Returns whether the environment names a database, which is used then. */
  async forget(): Promise<boolean> {
    await this.secrets.delete(secretName);
    return (await this.read()) !== undefined;
  }
}
