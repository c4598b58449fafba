-- Sums of keys and members with many generations: their models, providers and presets were counted from generations. A job fills the tables.
CREATE TABLE "busy_subjects" (
    "organization_id" UUID NOT NULL,
    "subject_id" TEXT NOT NULL,
    "is_member" BOOLEAN NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "busy_subjects_pkey" PRIMARY KEY ("organization_id", "subject_id")
);

CREATE TABLE "subject_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "subject_id" TEXT NOT NULL,
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
    "byok_spend" BIGINT NOT NULL,
    "tokens_prompt" BIGINT NOT NULL,
    "tokens_completion" BIGINT NOT NULL,
    "tokens_cached" BIGINT NOT NULL,
    "tokens_reasoning" BIGINT NOT NULL,
    "timed_tokens" BIGINT NOT NULL,
    "timed_ms" BIGINT NOT NULL,

    CONSTRAINT "subject_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "subject_id", "guardrail_id", "at", "workspace_id", "model", "provider_slug", "status", "api_type", "preset_id")
) PARTITION BY LIST ("grain");
CREATE TABLE "subject_rollups_day" PARTITION OF "subject_rollups" FOR VALUES IN ('day');
CREATE TABLE "subject_rollups_week" PARTITION OF "subject_rollups" FOR VALUES IN ('week');

CREATE TABLE "subject_latency_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "measure" "latency_measure" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "status" "generation_status" NOT NULL,
    "bins" SMALLINT[],
    "counts" BIGINT[],

    CONSTRAINT "subject_latency_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "subject_id", "measure", "at", "workspace_id", "status")
) PARTITION BY LIST ("grain");
CREATE TABLE "subject_latency_rollups_day" PARTITION OF "subject_latency_rollups" FOR VALUES IN ('day');
CREATE TABLE "subject_latency_rollups_week" PARTITION OF "subject_latency_rollups" FOR VALUES IN ('week');

ALTER TABLE "rollup_progress" ADD COLUMN "subjects_up_to" TEXT NOT NULL DEFAULT '';

ALTER TABLE "busy_subjects" ADD CONSTRAINT "busy_subjects_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "subject_rollups" ADD CONSTRAINT "subject_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "subject_latency_rollups" ADD CONSTRAINT "subject_latency_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
