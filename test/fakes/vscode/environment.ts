import type * as real from "vscode";
import { UIKind } from "./enums.js";

/** What surrounds the window: the clipboard, the browser that addresses are opened in, the language. */
export class Environment {
  clipboard = "";
  /** The addresses that were opened outside. */
  readonly opened: string[] = [];

  constructor(
    private readonly language: string,
    private readonly appRoot: string,
  ) {}

  get api() {
    return {
      appName: "Visual Studio Code",
      appRoot: this.appRoot,
      appHost: "desktop",
      uriScheme: "vscode",
      language: this.language,
      machineId: "machine",
      sessionId: "session",
      shell: "/bin/bash",
      remoteName: undefined,
      isNewAppInstall: false,
      isTelemetryEnabled: false,
      uiKind: UIKind.Desktop,
      clipboard: {
        readText: () => Promise.resolve(this.clipboard),
        writeText: (text: string) => {
          this.clipboard = text;
          return Promise.resolve();
        },
      },
      openExternal: (uri: real.Uri) => {
        this.opened.push(uri.toString());
        return Promise.resolve(true);
      },
      asExternalUri: (uri: real.Uri) => Promise.resolve(uri),
    } satisfies Partial<typeof real.env>;
  }
}
