-- CreateEnum
CREATE TYPE "alert_kind" AS ENUM ('budget', 'error_rate', 'block_spike', 'latency_p95', 'provider_down');

-- CreateEnum
CREATE TYPE "notification_channel" AS ENUM ('webhook', 'slack', 'email');

-- CreateTable
CREATE TABLE "alert_rules" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID,
    "name" TEXT NOT NULL,
    "kind" "alert_kind" NOT NULL,
    "threshold" DOUBLE PRECISION NOT NULL,
    "window_minutes" INTEGER NOT NULL,
    "min_requests" INTEGER NOT NULL,
    "quiet_minutes" INTEGER NOT NULL,
    "filters" JSONB NOT NULL DEFAULT '{}',
    "webhook_ids" JSONB NOT NULL DEFAULT '[]',
    "slack_ciphertext" TEXT,
    "slack_hint" TEXT,
    "emails" JSONB NOT NULL DEFAULT '[]',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "evaluated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_rules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_firings" (
    "id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "threshold" DOUBLE PRECISION NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "notified_at" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_firings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "channel" "notification_channel" NOT NULL,
    "type" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "firing_id" UUID,
    "webhook_delivery_id" UUID,
    "payload_ciphertext" TEXT,
    "status" "webhook_delivery_status" NOT NULL DEFAULT 'pending',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "alert_rules_organization_id_created_at_idx" ON "alert_rules"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "alert_firings_rule_id_started_at_id_idx" ON "alert_firings"("rule_id", "started_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "alert_firings_started_at_idx" ON "alert_firings"("started_at");

-- CreateIndex
CREATE INDEX "notifications_firing_id_idx" ON "notifications"("firing_id");

-- CreateIndex
CREATE INDEX "notifications_webhook_delivery_id_idx" ON "notifications"("webhook_delivery_id");

-- CreateIndex
CREATE INDEX "notifications_created_at_idx" ON "notifications"("created_at");

-- AddForeignKey
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_firings" ADD CONSTRAINT "alert_firings_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rules"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_firing_id_fkey" FOREIGN KEY ("firing_id") REFERENCES "alert_firings"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_webhook_delivery_id_fkey" FOREIGN KEY ("webhook_delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A subject has at most one open firing of a rule.
CREATE UNIQUE INDEX "alert_firings_open_key" ON "alert_firings"("rule_id", "subject") WHERE "resolved_at" IS NULL;

SELECT signalbox_jobs.create_queue('notification-delivery', '{"policy": "standard", "retryLimit": 10, "retryDelay": 5, "expireInSeconds": 60}');
