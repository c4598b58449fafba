import type { ApiError } from "../../platform/api-error";

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
