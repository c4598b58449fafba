import type { ApiError } from "../../platform/api-error";

/** An answer that content filters withhold, or that they couldn't scan. */
export class AnswerBlocked extends Error {
  constructor(readonly error: ApiError) {
    super(error.message);
    this.name = "AnswerBlocked";
  }
}
