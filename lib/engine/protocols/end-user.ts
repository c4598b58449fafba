import "server-only";
import { createHash } from "node:crypto";
import type { InferenceRequest } from "./inference-request";

/**
 * Returns the end user that a request names: in its body, or else in the header `x-signalbox-end-user`.
 * @param ofHeader The header's value; null without one.
 */
export const endUserOf = ({ protocol, body }: InferenceRequest, ofHeader: string | null): string | null =>
  (protocol === "messages" ? body.metadata?.user_id : (body.user ?? body.safety_identifier)) ?? ofHeader;

/** Longest name of an end user that limits count by; of longer ones they use a hash. */
export const MOST_END_USER = 256;

/** Returns the name by which limits count an end user; null for an empty one. */
export function endUserId(endUser: string | null): string | null {
  if (endUser === null || endUser === "") return null;
  const isStorable = endUser.length <= MOST_END_USER && !endUser.includes("\0");
  return isStorable ? endUser : `sha256:${createHash("sha256").update(endUser).digest("hex")}`;
}
