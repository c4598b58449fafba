import { ApiError } from "../../platform/api-error";

/** Values of `scimType` (RFC 7644, section 3.12). */
type ScimType =
  | "invalidFilter"
  | "invalidPath"
  | "invalidSyntax"
  | "invalidValue"
  | "mutability"
  | "noTarget"
  | "uniqueness";

/** An error with its `scimType`. */
export const scimError = (status: 400 | 409, scimType: ScimType, detail: string): ApiError =>
  new ApiError(status, detail, { scim_type: scimType });
