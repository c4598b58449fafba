import { ApiError, invalid } from "../api-error";

export const malformedBody = (message: string) => invalid([{ path: [], message, code: "malformed_body" }]);
export const bodyTooLarge = (maxBytes: number) =>
  new ApiError(413, `The request body is larger than ${maxBytes} bytes`);
export const incompleteBody = () => new ApiError(400, "The request body was not received completely");
