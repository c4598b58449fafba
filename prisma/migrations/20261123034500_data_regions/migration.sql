CREATE TYPE "data_region" AS ENUM ('global', 'europe', 'us');

ALTER TABLE "endpoints" ADD COLUMN "data_region" "data_region" NOT NULL DEFAULT 'global';

ALTER TABLE "guardrails" ADD COLUMN "allowed_data_regions" JSONB;
