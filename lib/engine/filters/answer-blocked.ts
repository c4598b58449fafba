import type { ApiError } from "../../platform/api-error";

/** Message for an answer of which more than a number of characters would have to be held back. */
export const tooLongToHold = (characters: number): string =>
  `Response blocked: more than ${characters} characters would have to be held back`;

/** An answer that content filters or checks withhold, or that they couldn't judge. */
export class AnswerBlocked extends Error {
  constructor(
    readonly error: ApiError,
    /** The status to record. */
    readonly status: "blocked" | "failed" = "blocked",
  ) {
    super(error.message);
    this.name = "AnswerBlocked";
  }
}
