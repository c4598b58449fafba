-- Rollups with other dimensions: the job adds everything up again.
TRUNCATE "rollup_progress", "usage_rollups", "key_rollups", "latency_rollups", "rule_rollups";

-- AlterEnum
ALTER TYPE "rollup_grain" ADD VALUE 'week';

-- AlterTable
ALTER TABLE "usage_rollups" DROP CONSTRAINT "usage_rollups_pkey",
DROP COLUMN "api_type",
DROP COLUMN "preset_id",
ADD CONSTRAINT "usage_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "guardrail_id", "at", "workspace_id", "model", "provider_slug", "status");

-- CreateTable
CREATE TABLE "preset_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "provider_slug" TEXT NOT NULL,
    "status" "generation_status" NOT NULL,
    "api_type" "protocol" NOT NULL,
    "preset_id" UUID NOT NULL,
    "requests" BIGINT NOT NULL,
    "spend" BIGINT NOT NULL,
    "tokens_prompt" BIGINT NOT NULL,
    "tokens_completion" BIGINT NOT NULL,
    "tokens_cached" BIGINT NOT NULL,
    "timed_tokens" BIGINT NOT NULL,
    "timed_ms" BIGINT NOT NULL,

    CONSTRAINT "preset_rollups_pkey" PRIMARY KEY ("organization_id","grain","at","workspace_id","model","provider_slug","status","api_type","preset_id")
);

-- CreateTable
CREATE TABLE "member_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "status" "generation_status" NOT NULL,
    "requests" BIGINT NOT NULL,
    "spend" BIGINT NOT NULL,
    "tokens_prompt" BIGINT NOT NULL,
    "tokens_completion" BIGINT NOT NULL,
    "tokens_cached" BIGINT NOT NULL,
    "timed_tokens" BIGINT NOT NULL,
    "timed_ms" BIGINT NOT NULL,

    CONSTRAINT "member_rollups_pkey" PRIMARY KEY ("organization_id","grain","at","workspace_id","user_id","status")
);

-- CreateIndex
CREATE INDEX "key_rollups_key_id_grain_at_idx" ON "key_rollups"("key_id", "grain", "at");

-- AddForeignKey
ALTER TABLE "preset_rollups" ADD CONSTRAINT "preset_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "member_rollups" ADD CONSTRAINT "member_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
