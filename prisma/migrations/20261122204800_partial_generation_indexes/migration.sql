-- Most generations have neither a preset nor a session: their rows in these indexes were never read.
DROP INDEX "generations_preset_id_created_at_id_idx";
CREATE INDEX "generations_preset_id_created_at_id_idx" ON "generations"("preset_id", "created_at", "id") WHERE "preset_id" IS NOT NULL;

DROP INDEX "generations_organization_id_session_id_created_at_id_idx";
CREATE INDEX "generations_organization_id_session_id_created_at_id_idx" ON "generations"("organization_id", "session_id", "created_at", "id") WHERE "session_id" IS NOT NULL;
