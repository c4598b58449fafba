-- Sums of guardrails by week, and of presets and protocols by hour, for all models and providers together; sums of all guardrails on a few days are
-- found by time. The job adds up the sums again: they are read from generations until it has done so.
CREATE TABLE "usage_rollups_week" PARTITION OF "usage_rollups" FOR VALUES IN ('week');
CREATE TABLE "preset_rollups_hour" PARTITION OF "preset_rollups" FOR VALUES IN ('hour');
CREATE INDEX "usage_rollups_at_idx" ON "usage_rollups" USING BRIN ("at");
UPDATE "rollup_progress" SET "recorded_in" = 9223372036854775807;
