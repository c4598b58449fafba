/** What one key or one member may do until a time although a guardrail, or the key's own limit, forbids it. */
export interface Exception {
  id: string;
  keyId: string | null;
  userId: string | null;
  /** null: the key's own limit, or a phrase, which every content filter heeds. */
  guardrailId: string | null;
  kind: "raise_limit" | "lift_rule" | "allow_phrase";
  /** What is lifted: a field of the guardrail, and of a content filter its slug or pattern. */
  field: string | null;
  rule: string | null;
  raiseMicroUsd: bigint | null;
  phrase: string | null;
  reason: string;
  createdAt: Date;
  expiresAt: Date;
  /** Before its time. */
  endedAt: Date | null;
}
