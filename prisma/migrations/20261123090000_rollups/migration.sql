-- CreateEnum
CREATE TYPE "rollup_grain" AS ENUM ('hour', 'day');

-- CreateEnum
CREATE TYPE "latency_measure" AS ENUM ('time_to_first_token', 'duration');

-- CreateTable
CREATE TABLE "rollup_progress" (
    "organization_id" UUID NOT NULL,
    "recorded_in" BIGINT NOT NULL DEFAULT 0,
    "generation_id" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "rollup_progress_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "usage_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "guardrail_id" UUID NOT NULL,
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

    CONSTRAINT "usage_rollups_pkey" PRIMARY KEY ("organization_id","grain","guardrail_id","at","workspace_id","model","provider_slug","status","api_type","preset_id")
);

-- CreateTable
CREATE TABLE "key_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "status" "generation_status" NOT NULL,
    "requests" BIGINT NOT NULL,
    "spend" BIGINT NOT NULL,
    "tokens_prompt" BIGINT NOT NULL,
    "tokens_completion" BIGINT NOT NULL,
    "tokens_cached" BIGINT NOT NULL,
    "timed_tokens" BIGINT NOT NULL,
    "timed_ms" BIGINT NOT NULL,

    CONSTRAINT "key_rollups_pkey" PRIMARY KEY ("organization_id","grain","at","workspace_id","key_id","user_id","status")
);

-- CreateTable
CREATE TABLE "latency_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "measure" "latency_measure" NOT NULL,
    "model" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "provider_slug" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "status" "generation_status" NOT NULL,
    "bin" SMALLINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "latency_rollups_pkey" PRIMARY KEY ("organization_id","grain","measure","model","at","provider_slug","workspace_id","status","bin")
);

-- CreateTable
CREATE TABLE "rule_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "guardrail_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "rule_hash" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "rule" TEXT,
    "guardrail_name" TEXT,
    "requests" BIGINT NOT NULL,

    CONSTRAINT "rule_rollups_pkey" PRIMARY KEY ("organization_id","grain","at","workspace_id","user_id","guardrail_id","field","rule_hash","action")
);

-- AddForeignKey
ALTER TABLE "rollup_progress" ADD CONSTRAINT "rollup_progress_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "usage_rollups" ADD CONSTRAINT "usage_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "key_rollups" ADD CONSTRAINT "key_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "latency_rollups" ADD CONSTRAINT "latency_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "rule_rollups" ADD CONSTRAINT "rule_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
