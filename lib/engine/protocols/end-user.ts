import "server-only";
import { createHash } from "node:crypto";
import { MOST_SUBJECT_ID } from "../budgets/vocabulary";
import type { InferenceRequest } from "./inference-request";

/**
 * Returns the end user that a request names: in its body, or else in the header `x-signalbox-end-user`.
 * @param ofHeader The header's value; null without one.
 */
export const endUserOf = ({ protocol, body }: InferenceRequest, ofHeader: string | null): string | null =>
  endUserId((protocol === "messages" ? body.metadata?.user_id : body.user || body.safety_identifier) || ofHeader);

/** Returns the name by which limits and records know an end user: a hash of a long one; null for an empty one. */
export function endUserId(endUser: string | null): string | null {
  if (endUser === null || endUser === "") return null;
  const isStorable = endUser.length <= MOST_SUBJECT_ID && !endUser.includes("\0");
  return isStorable ? endUser : `sha256:${createHash("sha256").update(endUser).digest("hex")}`;
}
