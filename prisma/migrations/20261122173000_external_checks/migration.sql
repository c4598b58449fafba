ALTER TABLE "guardrails" ADD COLUMN "external_checks" JSONB,
ADD COLUMN "check_secrets" JSONB;

ALTER TABLE "decisions" ADD COLUMN "reason" TEXT;

ALTER TABLE "policy_tests" ADD COLUMN "check_verdicts" JSONB;
