import { messagesError } from "../engine/protocols/messages/error-body";
import type { Issue } from "../platform/api-error";
import type { ErrorParts } from "../platform/http/error-response";
import type { Operation } from "../platform/http/operation";

/** Bodies of errors in the shapes of other APIs. */
export const ERROR_FORMATS: Readonly<Record<NonNullable<Operation["errorFormat"]>, (parts: ErrorParts) => object>> = {
  messages: ({ status, message, param, metadata: { details, ...metadata }, service_metadata, requestId }) => ({
    ...messagesError(status, message, {
      ...(param !== undefined && { param }),
      ...(details !== undefined && { details }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    }),
    request_id: requestId,
    ...(service_metadata && { service_metadata }),
  }),
  oauth: ({ status, message, code, metadata: { issues } }) => ({
    error: typeof code === "string" ? code : status >= 500 ? "server_error" : "invalid_request",
    error_description: message,
    ...(issues !== undefined && { issues }),
  }),
  scim: ({ status, message, metadata: { scim_type, issues } }) => {
    const scimType = scim_type ?? (status === 400 ? scimTypeOf(issues) : undefined);
    return {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(status),
      ...(scimType !== undefined && { scimType }),
      detail: message,
    };
  },
};

/** Returns the `scimType` of a 400 that doesn't state its own (RFC 7644, section 3.12). */
const scimTypeOf = (issues: unknown): string =>
  (issues as readonly Issue[] | undefined)?.[0]?.code === "malformed_body" ? "invalidSyntax" : "invalidValue";

/** Headers with the request's id, also under the name that the API's clients read. */
export const requestIdHeaders = ({ errorFormat }: Operation, id: string): Record<string, string> => ({
  "x-request-id": id,
  ...(errorFormat === "messages" && { "request-id": id }),
});
