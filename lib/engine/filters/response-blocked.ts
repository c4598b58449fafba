import type { ApiError } from "../../platform/api-error";

/** Returns the error message for a response of which more than `characters` would have to be held back. */
export const tooLongToHold = (characters: number): string =>
  `Response blocked: more than ${characters} characters would have to be held back`;

/** Thrown for a response that content filters or checks block or couldn't evaluate. */
export class ResponseBlocked extends Error {
  constructor(
    readonly error: ApiError,
    /** Status recorded for the generation. */
    readonly status: "blocked" | "failed" = "blocked",
  ) {
    super(error.message);
    this.name = "ResponseBlocked";
  }
}
