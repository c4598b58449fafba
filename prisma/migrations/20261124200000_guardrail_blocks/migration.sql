-- Requests that a guardrail blocked. The job adds up the sums again: they are read from generations until it has done so.
ALTER TABLE "usage_rollups" ADD COLUMN "blocks" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "subject_rollups" ADD COLUMN "blocks" BIGINT NOT NULL DEFAULT 0;
UPDATE "rollup_progress" SET "recorded_in" = 9223372036854775807;
