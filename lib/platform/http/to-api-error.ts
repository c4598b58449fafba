import "server-only";
import { ApiError, conflict } from "../api-error";
import { isConflict, noteStoreFailure } from "../database/store-failure";
import { logger } from "../logger";

/** Converts database errors: lost races are conflicts, store failures are reported, and unknown errors are a 500. */
export function toApiError(error: unknown, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  if (isConflict(error)) return conflict();
  logger().error({ err: error, requestId }, "request failed");
  return noteStoreFailure(error) ?? new ApiError(500, "Internal Server Error");
}
