-- Orders by time need no id: the few generations of the same millisecond are sorted. This saves a third of the bytes.
DROP INDEX "generations_organization_id_created_at_id_idx", "generations_organization_id_status_created_at_id_idx", "generations_organization_id_model_created_at_id_idx",
  "generations_organization_id_provider_slug_created_at_id_idx", "generations_key_id_created_at_id_is_byok_cost_micro_usd_idx", "generations_user_id_created_at_id_idx",
  "generations_workspace_id_created_at_id_idx", "generations_preset_id_created_at_id_idx", "generations_organization_id_session_id_created_at_id_idx";
CREATE INDEX "generations_organization_id_created_at_idx" ON "generations"("organization_id", "created_at");
CREATE INDEX "generations_organization_id_status_created_at_idx" ON "generations"("organization_id", "status", "created_at");
CREATE INDEX "generations_organization_id_model_created_at_idx" ON "generations"("organization_id", "model", "created_at");
CREATE INDEX "generations_organization_id_provider_slug_created_at_idx" ON "generations"("organization_id", "provider_slug", "created_at");
CREATE INDEX "generations_key_id_created_at_is_byok_cost_micro_usd_idx" ON "generations"("key_id", "created_at", "is_byok", "cost_micro_usd");
CREATE INDEX "generations_user_id_created_at_idx" ON "generations"("user_id", "created_at");
CREATE INDEX "generations_workspace_id_created_at_idx" ON "generations"("workspace_id", "created_at");
CREATE INDEX "generations_preset_id_created_at_idx" ON "generations"("preset_id", "created_at") WHERE "preset_id" IS NOT NULL;
CREATE INDEX "generations_organization_id_session_id_created_at_idx" ON "generations"("organization_id", "session_id", "created_at") WHERE "session_id" IS NOT NULL;
CREATE INDEX "generations_organization_id_cost_micro_usd_idx" ON "generations"("organization_id", "cost_micro_usd");
CREATE INDEX "decisions_action_created_at_generation_id_idx" ON "decisions"("action", "created_at", "generation_id");
DROP INDEX "decisions_action_created_at_idx";
CREATE INDEX "audit_events_organization_id_action_created_at_idx" ON "audit_events"("organization_id", "action", "created_at" DESC);
CREATE INDEX "audit_events_organization_id_actor_id_created_at_idx" ON "audit_events"("organization_id", "actor_id", "created_at" DESC);
