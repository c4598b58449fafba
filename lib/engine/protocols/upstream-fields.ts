import "server-only";
import { createHash } from "node:crypto";
import type { InferenceRequest } from "./inference-request";

/** `fast` is an alias of `priority`. */
export const serviceTierOf = ({ body: { service_tier: tier } }: InferenceRequest) =>
  tier === "fast" ? "priority" : tier;

/** Hashes an end user's identifier, which is never sent itself (docs/semantics.md#end-users). */
export const hashedUser = (name: string): string =>
  createHash("sha256").update(`signalbox safety identifier\0${name}`).digest("hex");
