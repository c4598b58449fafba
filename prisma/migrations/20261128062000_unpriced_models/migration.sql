-- Unknown prices are told from free ones by their source; the prices of an unknown one are stored as 0.
ALTER TABLE "endpoints" ADD COLUMN "price_source" "fact_source" NOT NULL DEFAULT 'admin';
ALTER TABLE "workspaces" ADD COLUMN "allow_unpriced_models" BOOLEAN NOT NULL DEFAULT false;

-- Endpoints that an import added, as its audit event says, and whose model nobody changed since: their price comes from the catalogue.
-- Imports stored prices that the catalogue lacked as 0. The catalogue states no price of 0 except for models named as free.
UPDATE "endpoints"
SET "price_source" =
  CASE
    WHEN "endpoints"."price_prompt" = 0 AND "endpoints"."price_completion" = 0 AND "endpoints"."price_request" = 0
      AND "endpoints"."price_details" IS NULL AND "endpoints"."upstream_model" NOT LIKE '%:free'
    THEN 'unknown'::"fact_source"
    ELSE 'catalogue'::"fact_source"
  END
FROM "models"
WHERE "models"."id" = "endpoints"."model_id"
  AND ("models"."updated_at" IS NULL OR "models"."updated_at" < "endpoints"."created_at")
  AND EXISTS (
    SELECT 1 FROM "audit_events"
    WHERE "audit_events"."organization_id" = "models"."organization_id"
      AND "audit_events"."action" = 'provider.import_models'
      AND "audit_events"."target_type" = 'provider'
      AND "audit_events"."target_id" = "endpoints"."provider_id"::text
      AND "audit_events"."created_at" = "endpoints"."created_at"
      AND jsonb_exists("audit_events"."after"::jsonb -> 'models', "models"."slug")
  );
