/** Runs statements: one with parameters, or several without. */
export interface Sql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A database of PostgreSQL. */
export interface Database extends Sql {
  /** Runs `work` in one transaction, which is rolled back if it rejects. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /**
   * Calls `heard` with the text of each notification on a channel, and without one when some may have been missed, as when
   * it has begun to listen; until the returned function is called.
   */
  listen(channel: string, heard: (text?: string) => void): () => void;
  close(): Promise<void>;
}
