-- The log by end user. Without it, a page reads every generation of the time range.
CREATE INDEX "generations_organization_id_external_user_created_at_idx" ON "generations" ("organization_id", "external_user", "created_at") WHERE "external_user" IS NOT NULL;
