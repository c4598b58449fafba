export const EXPORT_FORMATS = ["jsonl", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
/** Header with the number of records in an export, `>100000` if there are more than are counted. */
export const EXPORT_TOTAL_HEADER = "x-total-count";

/** Returns the path of an operation's URL: below `/v1`, except for signing in to the console. */
export const urlPath = (path: string): string => (path.startsWith("/session") ? path : `/v1${path}`);

/** Headers that may carry a key instead of `Authorization`, as other APIs name them. */
export const KEY_HEADERS = ["x-api-key", "api-key"] as const;
