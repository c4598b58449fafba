import "server-only";
import { createHash } from "node:crypto";

/** A weak tag of a text (RFC 9110, section 8.8.3). */
export const entityTag = (text: string): string =>
  `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;

const opaque = (tag: string) => tag.trim().replace(/^W\//, "");

/** True if `If-None-Match` names the tag, by weak comparison (RFC 9110, section 13.1.2). */
export const isKnown = (ifNoneMatch: string | null, tag: string): boolean =>
  ifNoneMatch?.split(",").some((known) => opaque(known) === opaque(tag)) ?? false;
