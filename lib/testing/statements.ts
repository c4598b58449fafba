const OVERHEAD =
  /\bkey_secrets\b|\brate_buckets\b|\bbudget_leases\b|\brecalled_at >|pg_current_snapshot|pg_backend_pid|^LISTEN /;

/** False for statements of the process and of authentication: rate limits, upkeep of leases and of cached policy. */
export const isOfOperation = (statement: string): boolean => !OVERHEAD.test(statement);
