/** A file that is not as it was when a snapshot was taken. */
export interface SnapshotChange {
  readonly path: string;
  /** The file at the time of the snapshot. Absent: there was none. */
  readonly before?: {
    /** Permission bits; absent where the system has none. */
    readonly mode?: number;
    /** The reason why the file's content at that time is not known. Absent: it is known. */
    readonly notKept?: "tooBig" | "ignored";
  };
}

/** The state of the workspace's files at one moment. It survives this process, until it is discarded. */
export interface Snapshot {
  /** The time at which it was taken, in milliseconds since the epoch. */
  readonly takenAt: number;
  /**
   * Returns the files that are other than they were: changed, made or gone; sorted by path.
   *
   * @param paths the files that are there now
   */
  changes(paths: readonly string[]): Promise<readonly SnapshotChange[]>;
  /** Returns the kept content of a file. Throws a {@link FileError} if it cannot be read any more. */
  read(path: string): Promise<Uint8Array>;
  /** Forgets the snapshot. */
  discard(): Promise<void>;
}

/**
 * Keeps what files are before a command may change them. What is kept lies outside of the workspace, and the
 * project's own repository, if there is one, is neither read nor changed. Methods throw {@link FileError}.
 */
export interface Snapshots {
  /**
   * Takes a snapshot; resolves when it is on disk.
   *
   * @param owner the folder of the task that runs the command, as in `.rooroo/tasks/ID`
   * @param paths the files; what is no regular file is left out
   */
  take(owner: string, paths: readonly string[]): Promise<Snapshot>;
  /** Returns the owner's snapshots whose processes have ended without discarding them. */
  left(owner: string): Promise<readonly Snapshot[]>;
}
