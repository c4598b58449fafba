-- CreateEnum
CREATE TYPE "role" AS ENUM ('admin', 'member');

-- CreateEnum
CREATE TYPE "key_kind" AS ENUM ('management', 'inference');

-- CreateEnum
CREATE TYPE "reset_interval" AS ENUM ('daily', 'weekly', 'monthly');

-- CreateEnum
CREATE TYPE "preset_status" AS ENUM ('active', 'disabled', 'archived');

-- CreateEnum
CREATE TYPE "protocol" AS ENUM ('chat_completions', 'responses');

-- CreateEnum
CREATE TYPE "ownership" AS ENUM ('platform', 'byok');

-- CreateEnum
CREATE TYPE "generation_status" AS ENUM ('succeeded', 'failed', 'blocked', 'cancelled');

-- CreateEnum
CREATE TYPE "decision_scope" AS ENUM ('workspace', 'member', 'key', 'request');

-- CreateEnum
CREATE TYPE "budget_subject" AS ENUM ('key', 'member');

-- CreateTable
CREATE TABLE "organizations" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "id" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "role" "role" NOT NULL DEFAULT 'member',
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "token_hash" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "sessions" (
    "token_hash" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "member_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "default_guardrail_id" UUID,
    "content_logging" BOOLEAN NOT NULL,
    "content_retention_days" INTEGER,
    "metadata_retention_days" INTEGER,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "keys" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "creator_user_id" TEXT,
    "kind" "key_kind" NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "limit_micro_usd" BIGINT,
    "limit_reset" "reset_interval",
    "include_byok_in_limit" BOOLEAN NOT NULL DEFAULT false,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "key_secrets" (
    "hash" TEXT NOT NULL,
    "key_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "key_secrets_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "guardrails" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "allowed_models" JSONB,
    "ignored_models" JSONB,
    "allowed_providers" JSONB,
    "ignored_providers" JSONB,
    "limit_micro_usd" BIGINT,
    "reset_interval" "reset_interval",
    "include_byok_in_budgets" BOOLEAN NOT NULL DEFAULT false,
    "enforce_zdr" BOOLEAN,
    "enforce_zdr_vendor_a" BOOLEAN,
    "enforce_zdr_vendor_b" BOOLEAN,
    "enforce_zdr_vendor_c" BOOLEAN,
    "enforce_zdr_other" BOOLEAN,
    "content_filter_builtins" JSONB,
    "content_filters" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "guardrails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "guardrail_revisions" (
    "guardrail_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "fields" JSONB NOT NULL,
    "author_id" TEXT,
    "message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "guardrail_revisions_pkey" PRIMARY KEY ("guardrail_id","revision")
);

-- CreateTable
CREATE TABLE "guardrail_key_assignments" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "guardrail_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "assigned_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "guardrail_key_assignments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "guardrail_member_assignments" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "guardrail_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "assigned_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "guardrail_member_assignments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "presets" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "status" "preset_status" NOT NULL DEFAULT 'active',
    "status_updated_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "latest_version" INTEGER NOT NULL DEFAULT 1,
    "designated_version" INTEGER NOT NULL DEFAULT 1,
    "creator_user_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "presets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "preset_versions" (
    "id" UUID NOT NULL,
    "preset_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "config" JSONB NOT NULL,
    "system_prompt" TEXT NOT NULL,
    "creator_id" TEXT NOT NULL,
    "message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "preset_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "providers" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "base_url" TEXT,
    "protocol" "protocol" NOT NULL DEFAULT 'chat_completions',
    "api_key_ciphertext" TEXT,
    "headers" JSONB,
    "zdr" BOOLEAN NOT NULL DEFAULT false,
    "trains" BOOLEAN NOT NULL DEFAULT false,
    "ownership" "ownership" NOT NULL DEFAULT 'platform',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "providers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "models" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "canonical_slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "vendor" TEXT NOT NULL,
    "context_length" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "models_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "endpoints" (
    "id" UUID NOT NULL,
    "model_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "upstream_model" TEXT NOT NULL,
    "price_prompt" DECIMAL(20,10) NOT NULL DEFAULT 0,
    "price_completion" DECIMAL(20,10) NOT NULL DEFAULT 0,
    "price_request" DECIMAL(20,10) NOT NULL DEFAULT 0,
    "zdr" BOOLEAN,
    "quantization" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "generations" (
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "id" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "key_id" UUID,
    "user_id" TEXT,
    "status" "generation_status" NOT NULL,
    "api_type" "protocol" NOT NULL,
    "requested_model" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "provider_slug" TEXT,
    "is_byok" BOOLEAN NOT NULL DEFAULT false,
    "preset_id" UUID,
    "preset_version" INTEGER,
    "streamed" BOOLEAN NOT NULL,
    "finish_reason" TEXT,
    "native_finish_reason" TEXT,
    "tokens_prompt" INTEGER,
    "tokens_completion" INTEGER,
    "tokens_reasoning" INTEGER,
    "tokens_cached" INTEGER,
    "cost_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "latency_ms" INTEGER,
    "generation_time_ms" INTEGER,
    "timings" JSONB,
    "attempts" JSONB NOT NULL,
    "error_status" INTEGER,
    "error_message" TEXT,
    "upstream_id" TEXT,
    "request_id" TEXT NOT NULL,
    "session_id" TEXT,
    "external_user" TEXT,
    "http_referer" TEXT,
    "app_title" TEXT,
    "app_categories" TEXT,
    "user_agent" TEXT,
    "content_stored" BOOLEAN NOT NULL,
    "content_deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "generations_pkey" PRIMARY KEY ("created_at","id")
);

-- CreateTable
CREATE TABLE "generation_contents" (
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "generation_id" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "completion" TEXT,
    "reasoning" TEXT,
    "tool_calls" JSONB,
    "error" JSONB,
    "search_text" TEXT NOT NULL,

    CONSTRAINT "generation_contents_pkey" PRIMARY KEY ("created_at","generation_id")
);

-- CreateTable
CREATE TABLE "decisions" (
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "generation_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "scope" "decision_scope" NOT NULL,
    "guardrail_id" UUID,
    "guardrail_name" TEXT,
    "revision" INTEGER,
    "field" TEXT NOT NULL,
    "rule" TEXT,
    "action" TEXT NOT NULL,
    "spans" JSONB NOT NULL,

    CONSTRAINT "decisions_pkey" PRIMARY KEY ("created_at","generation_id","position")
);

-- CreateTable
CREATE TABLE "budgets" (
    "guardrail_id" UUID NOT NULL,
    "subject" "budget_subject" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "spent_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "reserved_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("guardrail_id","subject","subject_id","window_start")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "action" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "target_name" TEXT,
    "before" JSONB,
    "after" JSONB,
    "ip" TEXT,
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "caller_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "answer_ciphertext" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("caller_id","key")
);

-- CreateIndex
CREATE INDEX "members_organization_id_created_at_id_idx" ON "members"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "invitations_member_id_idx" ON "invitations"("member_id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_id_key" ON "sessions"("id");

-- CreateIndex
CREATE INDEX "sessions_member_id_idx" ON "sessions"("member_id");

-- CreateIndex
CREATE INDEX "workspaces_organization_id_created_at_id_idx" ON "workspaces"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "workspaces_organization_id_slug_key" ON "workspaces"("organization_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "keys_hash_key" ON "keys"("hash");

-- CreateIndex
CREATE INDEX "keys_organization_id_created_at_id_idx" ON "keys"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "keys_creator_user_id_idx" ON "keys"("creator_user_id");

-- CreateIndex
CREATE INDEX "key_secrets_key_id_idx" ON "key_secrets"("key_id");

-- CreateIndex
CREATE INDEX "guardrails_workspace_id_created_at_id_idx" ON "guardrails"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "guardrail_key_assignments_key_id_key" ON "guardrail_key_assignments"("key_id");

-- CreateIndex
CREATE INDEX "guardrail_key_assignments_organization_id_created_at_id_idx" ON "guardrail_key_assignments"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "guardrail_key_assignments_guardrail_id_created_at_id_idx" ON "guardrail_key_assignments"("guardrail_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "guardrail_member_assignments_organization_id_created_at_id_idx" ON "guardrail_member_assignments"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "guardrail_member_assignments_guardrail_id_created_at_id_idx" ON "guardrail_member_assignments"("guardrail_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "guardrail_member_assignments_user_id_idx" ON "guardrail_member_assignments"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "guardrail_member_assignments_workspace_id_user_id_key" ON "guardrail_member_assignments"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "presets_workspace_id_updated_at_id_idx" ON "presets"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "presets_workspace_id_slug_key" ON "presets"("workspace_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "preset_versions_preset_id_version_key" ON "preset_versions"("preset_id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "providers_organization_id_slug_key" ON "providers"("organization_id", "slug");

-- CreateIndex
CREATE INDEX "models_organization_id_canonical_slug_idx" ON "models"("organization_id", "canonical_slug");

-- CreateIndex
CREATE UNIQUE INDEX "models_organization_id_slug_key" ON "models"("organization_id", "slug");

-- CreateIndex
CREATE INDEX "endpoints_provider_id_idx" ON "endpoints"("provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "endpoints_model_id_provider_id_upstream_model_key" ON "endpoints"("model_id", "provider_id", "upstream_model");

-- CreateIndex
CREATE INDEX "generations_organization_id_created_at_id_idx" ON "generations"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "generations_organization_id_status_created_at_id_idx" ON "generations"("organization_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "generations_organization_id_model_created_at_id_idx" ON "generations"("organization_id", "model", "created_at", "id");

-- CreateIndex
CREATE INDEX "generations_organization_id_provider_slug_created_at_id_idx" ON "generations"("organization_id", "provider_slug", "created_at", "id");

-- CreateIndex
CREATE INDEX "generations_key_id_created_at_id_is_byok_cost_micro_usd_idx" ON "generations"("key_id", "created_at", "id", "is_byok", "cost_micro_usd");

-- CreateIndex
CREATE INDEX "generations_user_id_created_at_id_idx" ON "generations"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "generations_preset_id_created_at_id_idx" ON "generations"("preset_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "generations_organization_id_session_id_created_at_id_idx" ON "generations"("organization_id", "session_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "decisions_guardrail_id_created_at_idx" ON "decisions"("guardrail_id", "created_at");

-- CreateIndex
CREATE INDEX "audit_events_organization_id_created_at_id_idx" ON "audit_events"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_events_organization_id_target_type_target_id_created__idx" ON "audit_events"("organization_id", "target_type", "target_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_default_guardrail_id_fkey" FOREIGN KEY ("default_guardrail_id") REFERENCES "guardrails"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "keys" ADD CONSTRAINT "keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "keys" ADD CONSTRAINT "keys_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "keys" ADD CONSTRAINT "keys_creator_user_id_fkey" FOREIGN KEY ("creator_user_id") REFERENCES "members"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "key_secrets" ADD CONSTRAINT "key_secrets_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardrails" ADD CONSTRAINT "guardrails_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardrail_revisions" ADD CONSTRAINT "guardrail_revisions_guardrail_id_fkey" FOREIGN KEY ("guardrail_id") REFERENCES "guardrails"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardrail_key_assignments" ADD CONSTRAINT "guardrail_key_assignments_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardrail_key_assignments" ADD CONSTRAINT "guardrail_key_assignments_guardrail_id_fkey" FOREIGN KEY ("guardrail_id") REFERENCES "guardrails"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardrail_key_assignments" ADD CONSTRAINT "guardrail_key_assignments_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardrail_member_assignments" ADD CONSTRAINT "guardrail_member_assignments_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardrail_member_assignments" ADD CONSTRAINT "guardrail_member_assignments_guardrail_id_fkey" FOREIGN KEY ("guardrail_id") REFERENCES "guardrails"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardrail_member_assignments" ADD CONSTRAINT "guardrail_member_assignments_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guardrail_member_assignments" ADD CONSTRAINT "guardrail_member_assignments_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "presets" ADD CONSTRAINT "presets_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "preset_versions" ADD CONSTRAINT "preset_versions_preset_id_fkey" FOREIGN KEY ("preset_id") REFERENCES "presets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "providers" ADD CONSTRAINT "providers_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "models" ADD CONSTRAINT "models_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "endpoints" ADD CONSTRAINT "endpoints_model_id_fkey" FOREIGN KEY ("model_id") REFERENCES "models"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "endpoints" ADD CONSTRAINT "endpoints_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "providers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generations" ADD CONSTRAINT "generations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "members"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "generation_contents" ADD CONSTRAINT "generation_contents_created_at_generation_id_fkey" FOREIGN KEY ("created_at", "generation_id") REFERENCES "generations"("created_at", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_created_at_generation_id_fkey" FOREIGN KEY ("created_at", "generation_id") REFERENCES "generations"("created_at", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema language can't say.

-- An address signs in one living member. A removed member frees it.
CREATE UNIQUE INDEX "members_email_living_key" ON "members"("email") WHERE "deleted_at" IS NULL;
ALTER TABLE "members" ADD CONSTRAINT "members_email_lower" CHECK ("email" = lower("email"));

-- One default workspace an organization.
CREATE UNIQUE INDEX "workspaces_default_key" ON "workspaces"("organization_id") WHERE "is_default";

-- Free-text search over what was asked and answered, bounded because a tsvector is.
CREATE INDEX "generation_contents_search_idx" ON "generation_contents" USING GIN (to_tsvector('simple', left("search_text", 200000)));

ALTER TABLE "guardrails"
  ADD CONSTRAINT "guardrails_name_length" CHECK (char_length("name") BETWEEN 1 AND 200),
  ADD CONSTRAINT "guardrails_description_length" CHECK (char_length("description") <= 1000),
  ADD CONSTRAINT "guardrails_limit_range" CHECK ("limit_micro_usd" BETWEEN 0 AND 1000000000000000),
  ADD CONSTRAINT "guardrails_revision_positive" CHECK ("revision" >= 1);

ALTER TABLE "keys"
  ADD CONSTRAINT "keys_hash_form" CHECK ("hash" ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "keys_limit_range" CHECK ("limit_micro_usd" BETWEEN 0 AND 1000000000000000);

ALTER TABLE "key_secrets" ADD CONSTRAINT "key_secrets_hash_form" CHECK ("hash" ~ '^[0-9a-f]{64}$');

ALTER TABLE "presets"
  ADD CONSTRAINT "presets_slug_form" CHECK ("slug" ~ '^[a-z0-9]+([-_.~][a-z0-9]+)*$' AND char_length("slug") <= 128),
  ADD CONSTRAINT "presets_versions_ordered" CHECK ("designated_version" BETWEEN 1 AND "latest_version");

ALTER TABLE "preset_versions" ADD CONSTRAINT "preset_versions_version_positive" CHECK ("version" >= 1);

ALTER TABLE "generations"
  ADD CONSTRAINT "generations_id_carries_second" CHECK ("id" LIKE 'gen-' || floor(extract(epoch FROM "created_at"))::bigint || '-%'),
  ADD CONSTRAINT "generations_cost_range" CHECK ("cost_micro_usd" >= 0);

ALTER TABLE "endpoints"
  ADD CONSTRAINT "endpoints_prices_range" CHECK ("price_prompt" >= 0 AND "price_completion" >= 0 AND "price_request" >= 0);

ALTER TABLE "budgets"
  ADD CONSTRAINT "budgets_amounts_range" CHECK ("spent_micro_usd" >= 0 AND "reserved_micro_usd" >= 0);
