/** Types of errors by status, as in Anthropic's API. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  524: "timeout_error",
  529: "overloaded_error",
};

export interface MessagesError {
  [field: string]: unknown;
  type: "error";
  error: { type: string; message: string; [field: string]: unknown };
  request_id?: string;
}

/** Builds the body of an error, or the event of one. `details` are further fields of the error. */
export const messagesError = (
  status: number,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): MessagesError => ({
  type: "error",
  error: { type: TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error"), message, ...details },
});
