const OVERHEAD =
  /\bkey_secrets\b|\brate_buckets\b|\bbudget_leases\b|\brecalled_at >|pg_current_snapshot|pg_backend_pid|^LISTEN |^SET |^BEGIN|^COMMIT|set_config/;

/**
 * False for statements of the process and of authentication: rate limits, maintenance of leases and of cached policy,
 * and the ends of transactions.
 */
export const isOfOperation = (statement: string): boolean => !OVERHEAD.test(statement);

const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:ONLY\s+)?(?:"?public"?\.)?"?([a-z_]+)"?/gi;
/** A condition on the column, or its place in an INSERT. */
const BY_ORGANIZATION = /organization_id"?\s*(?:=|IN\b)|=\s*[\w".]*organization_id|INTO[^(]*\([^)]*organization_id/i;

/**
 * Returns the given tables that a statement reads or writes without a condition on their organization. A distributed
 * database would ask every node.
 */
export const readAcrossOrganizations = (statement: string, tables: ReadonlySet<string>): string[] =>
  BY_ORGANIZATION.test(statement)
    ? []
    : [...new Set([...statement.matchAll(TABLE)].map(([, name = ""]) => name))].filter((name) => tables.has(name));
