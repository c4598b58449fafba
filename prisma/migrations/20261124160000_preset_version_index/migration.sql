-- A version of presets that few generations have, or none, would be looked for in all of them.
CREATE INDEX "generations_organization_id_preset_version_created_at_idx" ON "generations"("organization_id", "preset_version", "created_at") WHERE "preset_version" IS NOT NULL;
