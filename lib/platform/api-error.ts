import type { Permission } from "./permissions";

export interface Issue {
  path: readonly (string | number)[];
  message: string;
  code?: string;
}

export type ErrorMetadata = Record<string, unknown>;

/** An error response: status, message, and machine-readable metadata. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly metadata?: ErrorMetadata,
    readonly headers?: Readonly<Record<string, string>>,
  ) {
    super(message);
    this.name = "ApiError";
  }

  /** Returns the same error with more metadata. */
  with(metadata: ErrorMetadata): ApiError {
    return new ApiError(this.status, this.message, { ...this.metadata, ...metadata }, this.headers);
  }
}

/** Maximum number of problems that one response lists. */
const MAX_ISSUES = 100;
/** Maximum length of a name that a response repeats from the request. */
const MAX_NAME = 200;

const shorten = (part: string | number) =>
  typeof part === "string" && part.length > MAX_NAME ? `${part.slice(0, MAX_NAME)}…` : part;

/** Creates a 400 that reports every problem at once, at most 100. */
export function invalid(issues: readonly Issue[], metadata: ErrorMetadata = {}): ApiError {
  const listed = issues.slice(0, MAX_ISSUES).map((issue) => ({ ...issue, path: issue.path.map(shorten) }));
  const first = listed[0];
  const where = first && first.path.length > 0 ? `${formatPath(first.path)}: ` : "";
  const detail = first ? `: ${where}${first.message}` : "";
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  return new ApiError(400, `Invalid request parameters${detail}${more}`, { issues: listed, ...metadata });
}

export const unauthorized = (message: "Missing Authentication header" | `Invalid credentials${"" | `: ${string}`}`) =>
  new ApiError(401, message, undefined, { "www-authenticate": "Bearer" });
export const forbidden = (message = "Only management keys can perform this operation") => new ApiError(403, message);
/** 403 that names the missing permission. */
export const lacksPermission = (permission: Permission, purpose = "") =>
  new ApiError(403, `You don't have the permission ${permission}${purpose}`, { permission });
export const notFound = (metadata?: ErrorMetadata) => new ApiError(404, "Resource not found", metadata);
export const conflict = (message = "Resource conflict. Please try again later.", metadata?: ErrorMetadata) =>
  new ApiError(409, message, metadata);
/** 409 for the value of one field, such as a slug in use. */
export const fieldConflict = (field: string, message: string) =>
  conflict(message, { issues: [{ path: [field], message }] });
export const preconditionFailed = (
  currentRevision: number,
  message = "The resource has changed since it was read: If-Match names an older revision",
) => new ApiError(412, message, { current_revision: currentRevision });

function formatPath(path: Issue["path"]): string {
  return path.map((part, index) => (typeof part === "number" ? `[${part}]` : index ? `.${part}` : part)).join("");
}
