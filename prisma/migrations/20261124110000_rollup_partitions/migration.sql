-- Rollups partitioned by grain, so that rows of days and weeks are read without those of hours between them, with further measures and grains. A
-- histogram of latencies is in one row. The job adds everything up again.
TRUNCATE "rollup_progress";
DROP TABLE "usage_rollups", "preset_rollups", "member_rollups", "key_rollups", "latency_rollups", "rule_rollups";

CREATE TABLE "usage_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "guardrail_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "provider_slug" TEXT NOT NULL,
    "status" "generation_status" NOT NULL,
    "requests" BIGINT NOT NULL,
    "spend" BIGINT NOT NULL,
    "tokens_prompt" BIGINT NOT NULL,
    "tokens_completion" BIGINT NOT NULL,
    "tokens_cached" BIGINT NOT NULL,
    "timed_tokens" BIGINT NOT NULL,
    "timed_ms" BIGINT NOT NULL,
    "byok_spend" BIGINT NOT NULL,
    "tokens_reasoning" BIGINT NOT NULL,

    CONSTRAINT "usage_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "guardrail_id", "at", "workspace_id", "model", "provider_slug", "status")
) PARTITION BY LIST ("grain");
CREATE TABLE "usage_rollups_hour" PARTITION OF "usage_rollups" FOR VALUES IN ('hour');
CREATE TABLE "usage_rollups_day" PARTITION OF "usage_rollups" FOR VALUES IN ('day');

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

    CONSTRAINT "preset_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "at", "workspace_id", "model", "provider_slug", "status", "api_type", "preset_id")
) PARTITION BY LIST ("grain");
CREATE TABLE "preset_rollups_day" PARTITION OF "preset_rollups" FOR VALUES IN ('day');
CREATE TABLE "preset_rollups_week" PARTITION OF "preset_rollups" FOR VALUES IN ('week');

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

    CONSTRAINT "member_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "at", "workspace_id", "user_id", "status")
) PARTITION BY LIST ("grain");
CREATE TABLE "member_rollups_day" PARTITION OF "member_rollups" FOR VALUES IN ('day');
CREATE TABLE "member_rollups_week" PARTITION OF "member_rollups" FOR VALUES IN ('week');

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

    CONSTRAINT "key_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "at", "workspace_id", "key_id", "user_id", "status")
) PARTITION BY LIST ("grain");
CREATE TABLE "key_rollups_day" PARTITION OF "key_rollups" FOR VALUES IN ('day');
CREATE TABLE "key_rollups_week" PARTITION OF "key_rollups" FOR VALUES IN ('week');

CREATE TABLE "latency_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "measure" "latency_measure" NOT NULL,
    "model" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "provider_slug" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "status" "generation_status" NOT NULL,
    "bins" SMALLINT[],
    "counts" BIGINT[],

    CONSTRAINT "latency_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "measure", "model", "at", "provider_slug", "workspace_id", "status")
) PARTITION BY LIST ("grain");
CREATE TABLE "latency_rollups_hour" PARTITION OF "latency_rollups" FOR VALUES IN ('hour');
CREATE TABLE "latency_rollups_day" PARTITION OF "latency_rollups" FOR VALUES IN ('day');
CREATE TABLE "latency_rollups_week" PARTITION OF "latency_rollups" FOR VALUES IN ('week');

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

    CONSTRAINT "rule_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "at", "workspace_id", "user_id", "guardrail_id", "field", "rule_hash", "action")
) PARTITION BY LIST ("grain");
CREATE TABLE "rule_rollups_day" PARTITION OF "rule_rollups" FOR VALUES IN ('day');
CREATE TABLE "rule_rollups_week" PARTITION OF "rule_rollups" FOR VALUES IN ('week');

CREATE INDEX "key_rollups_key_id_grain_at_idx" ON "key_rollups"("key_id", "grain", "at");

ALTER TABLE "usage_rollups" ADD CONSTRAINT "usage_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "preset_rollups" ADD CONSTRAINT "preset_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "member_rollups" ADD CONSTRAINT "member_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "key_rollups" ADD CONSTRAINT "key_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "latency_rollups" ADD CONSTRAINT "latency_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "rule_rollups" ADD CONSTRAINT "rule_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
