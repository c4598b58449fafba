import "server-only";
import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** A new signing secret: 32 random bytes, as Standard Webhooks writes them. */
export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString("base64")}`;

/**
 * The headers of Standard Webhooks 1.0: one signature a secret, so that receivers of the old and of the new one both verify
 * while a rotation's grace period runs.
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
