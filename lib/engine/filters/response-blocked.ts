import type { ApiError } from "../../platform/api-error";

/** Returns the message for an answer of which too many characters would have to be held back. */
export const tooLongToHold = (characters: number): string =>
  `Response blocked: more than ${characters} characters would have to be held back`;

/** An answer that content filters or checks withhold, or that they couldn't judge. */
export class ResponseBlocked extends Error {
  constructor(
    readonly error: ApiError,
    /** The status to record. */
    readonly status: "blocked" | "failed" = "blocked",
  ) {
    super(error.message);
    this.name = "ResponseBlocked";
  }
}
