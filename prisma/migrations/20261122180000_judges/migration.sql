ALTER TABLE "guardrails" ADD COLUMN "judges" JSONB;
