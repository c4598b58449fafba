import "server-only";
import { columnNames, toParameters, type Form, type Row } from "../../platform/database/columns";

export const SPEND_COLUMNS = {
  key_id: "uuid",
  day: "date",
  is_byok: "bool",
  cost_micro_usd: "int8",
  last_used_at: "timestamptz",
} as const;

/** The cost of a key's generation. */
export interface Spend {
  keyId: string;
  at: Date;
  isByok: boolean;
  costMicroUsd: bigint;
}

/** Adds up spend by key, UTC day and kind, ordered as all processes lock the rows. */
export function spendRows(spends: readonly Spend[]): Row[] {
  const sums = new Map<string, Spend>();
  for (const spend of spends) {
    const { keyId, at, isByok, costMicroUsd } = spend;
    const name = `${keyId} ${Math.floor(at.getTime() / DAY_MS)} ${isByok}`;
    const sum = sums.get(name);
    if (!sum) sums.set(name, { keyId, at, isByok, costMicroUsd });
    else {
      if (at > sum.at) sum.at = at;
      sum.costMicroUsd += costMicroUsd;
    }
  }
  return [...sums]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { keyId, at, isByok, costMicroUsd }]) =>
      toParameters(SPEND_COLUMNS, {
        key_id: keyId,
        day: dayOf(at),
        is_byok: isByok,
        cost_micro_usd: costMicroUsd,
        last_used_at: at,
      }),
    );
}

const DAY_MS = 24 * 60 * 60_000;
const dayOf = (at: Date): string => at.toISOString().slice(0, "2026-01-01".length);

const addedFrom = (source: string) => `
  cost_micro_usd = key_spend_days.cost_micro_usd + ${source}.cost_micro_usd,
  last_used_at = greatest(key_spend_days.last_used_at, ${source}.last_used_at)`;

/**
 * The CTEs that add rows of `spendRows`, given as a table, to their keys' days. A single row is updated first, because
 * `ON CONFLICT` writes a row lock to the write-ahead log before the update. Several rows are locked in order, which
 * `UPDATE` doesn't guarantee.
 */
export const spendCtes = (form: Form, given: string): string => `
  ${
    form === "one"
      ? `added AS (
    UPDATE key_spend_days SET ${addedFrom("given")} FROM ${given}
    WHERE key_spend_days.key_id = given.key_id AND key_spend_days.day = given.day AND key_spend_days.is_byok = given.is_byok
    RETURNING 1
  ), `
      : ""
  }spent AS (
    INSERT INTO key_spend_days (${columnNames(SPEND_COLUMNS)})
    SELECT * FROM ${given} ${form === "one" ? "WHERE NOT EXISTS (SELECT FROM added)" : ""}
    ON CONFLICT (key_id, day, is_byok) DO UPDATE SET ${addedFrom("excluded")}
  )`;
