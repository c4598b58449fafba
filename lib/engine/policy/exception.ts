/** A temporary permission for one key or member to do something that a guardrail or the key's own limit forbids. */
export interface Exception {
  id: string;
  keyId: string | null;
  userId: string | null;
  /** null for a key's own limit, or for a phrase, which applies to every content filter. */
  guardrailId: string | null;
  kind: "raise_limit" | "lift_rule" | "allow_phrase";
  /** The lifted rule: a field of the guardrail, with the slug or pattern of a content filter. */
  field: string | null;
  rule: string | null;
  raiseMicroUsd: bigint | null;
  phrase: string | null;
  reason: string;
  createdAt: Date;
  expiresAt: Date;
  /** Set when ended early. */
  endedAt: Date | null;
}
