const OVERHEAD = /\bkey_secrets\b|\brate_buckets\b|pg_current_snapshot|pg_backend_pid|^LISTEN /;

/** False for statements of the process and of authentication: rate limits, and what keeps cached policy current. */
export const isOfOperation = (statement: string): boolean => !OVERHEAD.test(statement);
