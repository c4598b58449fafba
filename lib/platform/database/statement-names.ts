import "server-only";
import { createHash } from "node:crypto";

/** Each connection keeps the plans of this many statements at most. */
const MAX_NAMES = 128;

/** Texts with as many parameters as a list has elements, and reads of lists, whose best plan depends on whose list it is. */
const VARYING = / IN \(|ORDER BY/;

/**
 * Returns a function that names statements, for connections to parse and plan each only once (PostgreSQL, "Extended Query"). The
 * empty name is for those that are planned for their values each time.
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
