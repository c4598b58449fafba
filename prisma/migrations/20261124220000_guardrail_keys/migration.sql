-- Keys in whose generations a guardrail made a decision, which the log looks up for pairs of filters. The job that adds up the sums fills the table from
-- the first generation on.
CREATE TABLE "guardrail_keys" (
    "organization_id" UUID NOT NULL,
    "guardrail_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,

    CONSTRAINT "guardrail_keys_pkey" PRIMARY KEY ("organization_id","guardrail_id","key_id")
);
ALTER TABLE "guardrail_keys" ADD CONSTRAINT "guardrail_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
UPDATE "rollup_progress" SET "recorded_in" = 9223372036854775807;
