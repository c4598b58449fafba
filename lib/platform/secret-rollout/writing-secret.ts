/** A process on the same database. */
export interface Instance {
  /** Ids of the secrets it can read. */
  secretKeyIds: readonly string[];
  /** Id of the secret it encrypts with. */
  writesWith: string;
}

/**
 * Returns the id of the secret to encrypt with: the newest of `own` that every other instance can read, else the oldest.
 * @param own newest first
 */
export const writerOf = (own: readonly [string, ...string[]], others: readonly Instance[]): string =>
  own.find((id) => others.every(({ secretKeyIds }) => secretKeyIds.includes(id))) ?? (own.at(-1) as string);

/** Returns a secret that another instance encrypts with and this one can't read; null if it can read all secrets. */
export const unreadable = (own: readonly string[], others: readonly Instance[]): string | null =>
  others.find(({ writesWith }) => !own.includes(writesWith))?.writesWith ?? null;
