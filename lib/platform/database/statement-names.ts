import "server-only";
import { createHash } from "node:crypto";

/** Maximum number of statements whose plans a connection keeps. */
const MAX_NAMES = 128;

/** Matches statements with a parameter for each element of a list, and reads of lists, whose best plan depends on the owner. */
const VARYING = / IN \(|ORDER BY/;

/**
 * Returns a function that names statements, so that connections parse and plan each only once (PostgreSQL, "Extended Query").
 * Statements with an empty name are planned for their values each time.
 */
export function statementNames(max = MAX_NAMES): (query: { sql: string; args: readonly unknown[] }) => string {
  const names = new Map<string, string>();
  return ({ sql, args }) => {
    const known = names.get(sql);
    if (known) return known;
    if (args.length === 0 || names.size >= max || VARYING.test(sql)) return "";
    const name = createHash("sha256").update(sql).digest("hex").slice(0, 32);
    names.set(sql, name);
    return name;
  };
}
