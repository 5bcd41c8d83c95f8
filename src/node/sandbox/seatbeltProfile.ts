/** The places that one command may use, as absolute paths without links. */
export interface SeatbeltRules {
  /** Folders in which it may write. */
  readonly writable: readonly string[];
  /** Paths that it may read but not write, even in a writable folder. */
  readonly readOnly: readonly string[];
  /** Paths that it may not even read. */
  readonly hidden: readonly string[];
  readonly hasNetwork: boolean;
}

/** Services of macOS that hand out passwords, the clipboard, or start programs outside of the sandbox. */
const services = [
  "com.apple.SecurityServer",
  "com.apple.securityd.xpc",
  "com.apple.security.agent",
  "com.apple.pasteboard.1",
  "com.apple.coreservices.launchservicesd",
  "com.apple.coreservices.appleevents",
];

const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"];

/** Returns the profile for `sandbox-exec`. Of two rules for the same thing, the later one counts. */
export function seatbeltProfile(rules: SeatbeltRules): string {
  const lines = [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    ...devices.map((path) => `(allow file-write* (literal ${quoted(path)}))`),
    ...rules.writable.map((path) => `(allow file-write* (subpath ${quoted(path)}))`),
    ...rules.readOnly.map((path) => `(deny file-write* (subpath ${quoted(path)}))`),
    ...rules.hidden.map((path) => `(deny file-read* file-write* (subpath ${quoted(path)}))`),
    ...services.map((name) => `(deny mach-lookup (global-name ${quoted(name)}))`),
    "(deny appleevent-send)",
    "(deny lsopen)",
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny process-info*)",
    "(allow process-info* (target same-sandbox))",
    ...(rules.hasNetwork ? [] : ["(deny network*)"]),
  ];
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
