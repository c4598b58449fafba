-- One table of sums for each question, filled from the former sums, which have the same days and hours. They have the same position in the log.
CREATE TABLE "rollup_positions" (
    "organization_id" UUID NOT NULL,
    "recorded_in" BIGINT NOT NULL DEFAULT 0,
    "generation_id" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "rollup_positions_pkey" PRIMARY KEY ("organization_id")
);

CREATE TABLE "usage_hours" (
    "organization_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "provider_slug" TEXT NOT NULL,
    "status" "generation_status" NOT NULL,
    "requests" BIGINT NOT NULL,
    "spend" BIGINT NOT NULL,
    "unpriced" BIGINT NOT NULL,
    "tokens_prompt" BIGINT NOT NULL,
    "tokens_completion" BIGINT NOT NULL,
    "tokens_cached" BIGINT NOT NULL,
    "timed_tokens" BIGINT NOT NULL,
    "timed_ms" BIGINT NOT NULL,
    "byok_spend" BIGINT NOT NULL,
    "tokens_reasoning" BIGINT NOT NULL,

    CONSTRAINT "usage_hours_pkey" PRIMARY KEY ("organization_id", "at", "workspace_id", "model", "provider_slug", "status")
);

CREATE TABLE "latency_days" (
    "organization_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "measure" "latency_measure" NOT NULL,
    "workspace_id" UUID NOT NULL,
    "model" TEXT NOT NULL,
    "provider_slug" TEXT NOT NULL,
    "status" "generation_status" NOT NULL,
    "bins" SMALLINT[],
    "counts" BIGINT[],

    CONSTRAINT "latency_days_pkey" PRIMARY KEY ("organization_id", "at", "measure", "workspace_id", "model", "provider_slug", "status")
);

CREATE TABLE "key_days" (
    "organization_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "status" "generation_status" NOT NULL,
    "requests" BIGINT NOT NULL,
    "spend" BIGINT NOT NULL,
    "unpriced" BIGINT NOT NULL,
    "tokens_prompt" BIGINT NOT NULL,
    "tokens_completion" BIGINT NOT NULL,
    "tokens_cached" BIGINT NOT NULL,
    "timed_tokens" BIGINT NOT NULL,
    "timed_ms" BIGINT NOT NULL,

    CONSTRAINT "key_days_pkey" PRIMARY KEY ("organization_id", "at", "workspace_id", "key_id", "user_id", "status")
);

CREATE TABLE "guardrail_days" (
    "organization_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "guardrail_id" UUID NOT NULL,
    "status" "generation_status" NOT NULL,
    "requests" BIGINT NOT NULL,
    "blocks" BIGINT NOT NULL,
    "spend" BIGINT NOT NULL,
    "unpriced" BIGINT NOT NULL,
    "tokens_prompt" BIGINT NOT NULL,
    "tokens_completion" BIGINT NOT NULL,
    "tokens_cached" BIGINT NOT NULL,
    "timed_tokens" BIGINT NOT NULL,
    "timed_ms" BIGINT NOT NULL,

    CONSTRAINT "guardrail_days_pkey" PRIMARY KEY ("organization_id", "at", "workspace_id", "guardrail_id", "status")
);

CREATE TABLE "rule_days" (
    "organization_id" UUID NOT NULL,
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

    CONSTRAINT "rule_days_pkey" PRIMARY KEY ("organization_id", "at", "workspace_id", "user_id", "guardrail_id", "field", "rule_hash", "action")
);

INSERT INTO "rollup_positions" SELECT organization_id, recorded_in, generation_id FROM rollup_progress;

INSERT INTO "usage_hours"
SELECT organization_id, at, workspace_id, model, provider_slug, status, requests, spend, unpriced, tokens_prompt, tokens_completion, tokens_cached, timed_tokens, timed_ms, byok_spend, tokens_reasoning
FROM usage_rollups WHERE grain = 'hour' AND guardrail_id = '00000000-0000-0000-0000-000000000000';

INSERT INTO "latency_days"
SELECT organization_id, at, measure, workspace_id, model, provider_slug, status, bins, counts
FROM latency_rollups WHERE grain = 'day' AND model <> '';

INSERT INTO "key_days"
SELECT organization_id, at, workspace_id, key_id, user_id, status, requests, spend, unpriced, tokens_prompt, tokens_completion, tokens_cached, timed_tokens, timed_ms
FROM key_rollups WHERE grain = 'day';

INSERT INTO "guardrail_days"
SELECT organization_id, at, workspace_id, guardrail_id, status, sum(requests), sum(blocks), sum(spend), sum(unpriced), sum(tokens_prompt), sum(tokens_completion), sum(tokens_cached), sum(timed_tokens), sum(timed_ms)
FROM usage_rollups
WHERE grain = 'day' AND guardrail_id <> '00000000-0000-0000-0000-000000000000' AND guardrail_id <> 'ffffffff-ffff-ffff-ffff-ffffffffffff'
GROUP BY organization_id, at, workspace_id, guardrail_id, status;

INSERT INTO "rule_days"
SELECT organization_id, at, workspace_id, user_id, guardrail_id, field, rule_hash, action, rule, guardrail_name, requests
FROM rule_rollups WHERE grain = 'day';

-- Nobody adds to the former sums any more, and without a position nobody reads them.
DELETE FROM "rollup_progress";

CREATE INDEX "key_days_key_id_at_idx" ON "key_days"("key_id", "at");

ALTER TABLE "rollup_positions" ADD CONSTRAINT "rollup_positions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "usage_hours" ADD CONSTRAINT "usage_hours_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "latency_days" ADD CONSTRAINT "latency_days_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "key_days" ADD CONSTRAINT "key_days_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "guardrail_days" ADD CONSTRAINT "guardrail_days_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "rule_days" ADD CONSTRAINT "rule_days_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
