/** The most that one sandboxed command may use. */
export interface SandboxLimits {
  /** Processes and threads that live at the same time. */
  readonly processes: number;
  /** Bytes of memory of all its processes together. */
  readonly memoryBytes: number;
  /** Bytes of one file that it writes. */
  readonly fileBytes: number;
  /** Bytes in its private `/tmp` and in its shared memory, each. */
  readonly temporaryBytes: number;
  /** Bytes that it writes to the workspace and to its tools' caches. */
  readonly layerBytes: number;
  /** Files, folders and links that it makes, changes or removes in the workspace. */
  readonly layerFiles: number;
}

const megabyte = 1024 ** 2;
const gigabyte = 1024 ** 3;

export const usualLimits: SandboxLimits = {
  processes: 2000,
  memoryBytes: 4 * gigabyte,
  fileBytes: 2 * gigabyte,
  temporaryBytes: gigabyte,
  layerBytes: 8 * gigabyte,
  layerFiles: 300_000,
};

/** Returns a limit in words for people, as in `memory (4 GB)`. */
export function limitWords(name: keyof SandboxLimits, limits: SandboxLimits): string {
  const value = limits[name];
  switch (name) {
    case "processes":
      return `processes (${value})`;
    case "memoryBytes":
      return `memory (${sizeWords(value)})`;
    case "fileBytes":
      return `size of a file (${sizeWords(value)})`;
    case "temporaryBytes":
      return `temporary files (${sizeWords(value)})`;
    case "layerBytes":
      return `disk space (${sizeWords(value)})`;
    case "layerFiles":
      return `number of files (${value})`;
  }
}

function sizeWords(bytes: number): string {
  const [value, unit] = bytes >= gigabyte ? [bytes / gigabyte, "GB"] : [bytes / megabyte, "MB"];
  return `${Number(value.toPrecision(3))} ${unit}`;
}
