import type { Attachment } from "../../core/conversation/input/attachment.js";
import type { Mention, MentionKind } from "../../protocol/messages.js";
import type { RpcClient } from "../../protocol/rpcClient.js";
import { t } from "../text/words.js";
import type { Hint } from "./hintList.js";

/** What is typed behind an `@` before the cursor. */
interface Token {
  /** The offset of the `@`. */
  readonly start: number;
  readonly end: number;
  /** The kind that the user restricts the list to by typing, as in `@commit:`. */
  readonly of?: MentionKind;
  readonly query: string;
}

export interface MentionTarget {
  readonly request: RpcClient["request"];
  /** Replaces a part of the input by text, and puts the cursor after it. */
  replace(start: number, end: number, text: string): void;
  attach(attachment: Attachment): void;
  requestUpdate(): void;
}

/** Attachments that need no search. */
const fixed: readonly {
  name: string;
  description: string;
  icon: string;
  is: Attachment["kind"];
}[] = [
  { name: t("Problems"), description: t("Errors and warnings"), icon: "warning", is: "problems" },
  {
    name: t("Git Changes"),
    description: t("What has changed since the last commit"),
    icon: "source-control",
    is: "gitChanges",
  },
  {
    name: t("Terminal"),
    description: t("Text selected in the terminal"),
    icon: "terminal",
    is: "terminal",
  },
];

const kinds: readonly { of: MentionKind; name: string; description: string; icon: string }[] = [
  {
    of: "symbol",
    name: t("Symbols…"),
    description: t("@symbol: and a name"),
    icon: "symbol-method",
  },
  { of: "commit", name: t("Commits…"), description: t("@commit: and words"), icon: "git-commit" },
  {
    of: "resource",
    name: t("Resources…"),
    description: t("@resource: of MCP servers"),
    icon: "plug",
  },
  { of: "task", name: t("Tasks…"), description: t("@task: and words"), icon: "checklist" },
];

const icons: Readonly<Record<MentionKind, string>> = {
  path: "file",
  symbol: "symbol-method",
  commit: "git-commit",
  task: "checklist",
  resource: "plug",
};

/** Offers what can be attached while the user types behind an `@`, anywhere in the text. */
export class Mentions {
  private token: Token | undefined;
  private found: Partial<Record<MentionKind, readonly Mention[]>> = {};
  private asked = "";

  constructor(private readonly target: MentionTarget) {}

  /** Looks at the text before the cursor, and asks the host for what it could mean. */
  update(text: string, cursor: number): void {
    this.token = tokenIn(text, cursor);
    if (this.token === undefined) {
      this.found = {};
      this.asked = "";
      return;
    }
    const { query, of } = this.token;
    const asked = `${of ?? ""}:${query}`;
    if (asked === this.asked) return;
    this.asked = asked;
    const wanted: MentionKind[] =
      of !== undefined ? [of] : query.length < 2 ? ["path"] : ["path", "symbol", "task", "commit"];
    for (const kind of ["path", "symbol", "task", "commit", "resource"] as const) {
      if (!wanted.includes(kind)) this.found = { ...this.found, [kind]: [] };
      else void this.ask(kind, query, asked);
    }
  }

  /** Has the host list the workspace's files, so that the first list is there at once. */
  prepare(): void {
    this.target.request("mentions", { of: "path", query: "" }).catch(() => undefined);
  }

  get hints(): readonly Hint[] {
    const { token } = this;
    if (token === undefined) return [];
    const { path = [], symbol = [], task = [], commit = [], resource = [] } = this.found;
    const found = [
      ...path.map((mention) => this.hint(token, mention, "path")),
      ...symbol.map((mention) => this.hint(token, mention, "symbol")),
      ...task.map((mention) => this.hint(token, mention, "task")),
      ...commit.map((mention) => this.hint(token, mention, "commit")),
      ...resource.map((mention) => this.hint(token, mention, "resource")),
    ];
    if (token.of !== undefined) return found;
    const own = this.ownHints(token);
    // What is typed out comes first; otherwise files do.
    return token.query === "" || found.length === 0 ? [...own, ...found] : [...found, ...own];
  }

  private ownHints(token: Token): Hint[] {
    const typed = token.query.toLowerCase();
    const fits = (name: string) => name.toLowerCase().replace(/\W/g, "").startsWith(typed);
    if (/^https?:\/\/[^\s/]/i.test(token.query)) {
      const url = token.query;
      const attach = () => {
        this.take(token, { kind: "url", url });
      };
      return [{ name: url, description: t("Web address"), icon: "globe", take: attach }];
    }
    return [
      ...fixed
        .filter(({ name }) => fits(name))
        .map(({ name, description, icon, is }) => ({
          name,
          description,
          icon,
          take: () => {
            if (is === "terminal") void this.takeTerminal(token);
            else if (is === "problems" || is === "gitChanges") this.take(token, { kind: is });
          },
        })),
      ...kinds
        .filter(({ name }) => fits(name))
        .map(({ of, name, description, icon }) => ({
          name,
          description,
          icon,
          take: () => {
            this.target.replace(token.start, token.end, `@${of}:`);
          },
        })),
    ];
  }

  private hint(token: Token, { name, description, attachment }: Mention, kind: MentionKind): Hint {
    return {
      name,
      description,
      icon: attachment.kind === "folder" ? "folder" : icons[kind],
      take: () => {
        const isPath = attachment.kind === "file" || attachment.kind === "folder";
        if (isPath) this.target.replace(token.start, token.end, pathToken(attachment.path));
        else this.take(token, attachment);
      },
    };
  }

  private take({ start, end }: Token, attachment: Attachment): void {
    this.target.replace(start, end, "");
    this.target.attach(attachment);
  }

  private async takeTerminal(token: Token): Promise<void> {
    this.target.replace(token.start, token.end, "");
    try {
      this.target.attach(await this.target.request("terminalText", {}));
    } catch {
      // The panel shows the problem.
    }
  }

  private async ask(of: MentionKind, query: string, asked: string): Promise<void> {
    const found = await this.target.request("mentions", { of, query }).catch(() => []);
    // The user has typed on meanwhile.
    if (asked !== this.asked) return;
    this.found = { ...this.found, [of]: found };
    this.target.requestUpdate();
  }
}

/** Returns what is typed behind an `@` that begins a word before the cursor; `undefined` if there is none. */
function tokenIn(text: string, cursor: number): Token | undefined {
  const [whole, of, query = ""] =
    /(?<![^\s([{])@(?:(symbol|commit|task|resource):)?([^\s"@]{0,200})$/.exec(
      text.slice(0, cursor),
    ) ?? [];
  if (whole === undefined) return undefined;
  const start = cursor - whole.length;
  return { start, end: cursor, query, ...(of === undefined ? {} : { of: of as MentionKind }) };
}

/** Returns a path as it stands in the text, as in `@src/cart.js ` or `@"the plan.md" `. */
function pathToken(path: string): string {
  return /[\s"]/.test(path) ? `@"${path}" ` : `@${path} `;
}
