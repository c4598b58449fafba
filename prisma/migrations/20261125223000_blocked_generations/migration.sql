-- Blocked generations of a model or a cost, which the log looked for in all of the model's, or of the cost's. Only blocked generations have entries.
CREATE INDEX "generations_organization_id_model_created_at_blocked_idx" ON "generations"("organization_id", "model", "created_at") WHERE "status" = 'blocked';
CREATE INDEX "generations_organization_id_cost_micro_usd_blocked_idx" ON "generations"("organization_id", "cost_micro_usd") WHERE "status" = 'blocked';
