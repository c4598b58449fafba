import "server-only";
import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** Generates a signing secret: 32 random bytes in the format of Standard Webhooks. */
export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString("base64")}`;

/**
 * Builds the headers of Standard Webhooks 1.0 with one signature per secret, so that receivers can verify with either
 * during a rotation's grace period.
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  sentAt: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const sign = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
      .update(`${id}.${timestamp}.${body}`)
      .digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${sign(secret)}`).join(" "),
  };
}
