import { ApiError, invalid } from "../api-error";

export const malformedBody = (message: string) => invalid([{ path: [], message, code: "malformed_body" }]);
export const bodyTooLarge = (maxBytes: number) =>
  new ApiError(413, `The request body exceeds the maximum of ${maxBytes} bytes`);
export const incompleteBody = () => new ApiError(400, "The request body is incomplete");
