/** Runs statements: one with parameters, or several without. It is what the engine takes, too. */
export interface Sql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A database of PostgreSQL. */
export interface Database extends Sql {
  /** Runs `work` in one transaction, which is rolled back if it rejects. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
