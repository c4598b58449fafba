import { z } from "zod";
import { decrypt, encrypt, secretKeysOf } from "../../platform/secrets";
import { jsonIn } from "../../platform/json-values";

const PURPOSE = "sign-in flow";
/** Time that a person has for signing in at the provider. */
export const FLOW_LIFETIME_MS = 15 * 60_000;

const Flow = z.object({
  connectionId: z.string(),
  state: z.string(),
  returnTo: z.string(),
  /** Set for a test, or for a member who confirms their identity. Both null: a sign-in. */
  testId: z.string().nullable(),
  memberId: z.string().nullable(),
  /** What the protocol compares the answer with. */
  secrets: z.record(z.string(), z.string()),
  endsAt: z.number(),
});
/** A sign-in that was begun. It is stored, encrypted, in a cookie of the browser that began it. */
export type Flow = z.output<typeof Flow>;

interface Keys {
  secretKey: Buffer;
  previousSecretKeys: readonly Buffer[];
}

export const sealFlow = ({ secretKey }: Keys, flow: Flow): string =>
  encrypt(secretKey, PURPOSE, "browser", JSON.stringify(flow));

/** Returns the flow of a cookie; null if it isn't ours or has expired. */
export function openFlow(keys: Keys, token: string | null, now: Date): Flow | null {
  if (token === null) return null;
  try {
    const { data } = Flow.safeParse(jsonIn(decrypt(secretKeysOf(keys), PURPOSE, "browser", token)));
    return data && data.endsAt > now.getTime() ? data : null;
  } catch {
    return null;
  }
}
