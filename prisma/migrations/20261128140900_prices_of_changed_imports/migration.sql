-- 20261128062000_unpriced_models left out imported models that an admin changed since. Their prices are still the import's unless
-- an audit event says that an admin changed the price itself, or wrote it when prices already had a source.
UPDATE "endpoints"
SET "price_source" =
  CASE
    WHEN "endpoints"."price_prompt" = 0 AND "endpoints"."price_completion" = 0 AND "endpoints"."price_request" = 0
      AND "endpoints"."price_details" IS NULL AND "endpoints"."upstream_model" NOT LIKE '%:free'
    THEN 'unknown'::"fact_source"
    ELSE 'catalogue'::"fact_source"
  END
FROM "models", "providers"
WHERE "models"."id" = "endpoints"."model_id"
  AND "providers"."id" = "endpoints"."provider_id"
  AND "endpoints"."price_source" = 'admin'
  AND "models"."updated_at" >= "endpoints"."created_at"
  AND EXISTS (
    SELECT 1 FROM "audit_events"
    WHERE "audit_events"."organization_id" = "models"."organization_id"
      AND "audit_events"."action" = 'provider.import_models'
      AND "audit_events"."target_type" = 'provider'
      AND "audit_events"."target_id" = "endpoints"."provider_id"::text
      AND "audit_events"."created_at" = "endpoints"."created_at"
      AND jsonb_exists("audit_events"."after" -> 'models', "models"."slug")
  )
  AND NOT EXISTS (
    SELECT 1 FROM "audit_events",
      jsonb_path_query("audit_events"."before", '$.endpoints[*]') AS "was",
      jsonb_path_query("audit_events"."after", '$.endpoints[*]') AS "became"
    WHERE "audit_events"."organization_id" = "models"."organization_id"
      AND "audit_events"."action" = 'model.update'
      AND "audit_events"."target_type" = 'model'
      AND "audit_events"."target_id" = "models"."id"::text
      AND "audit_events"."created_at" >= "endpoints"."created_at"
      AND ("was" ->> 'provider', "was" ->> 'upstream_model') = ("providers"."slug", "endpoints"."upstream_model")
      AND ("became" ->> 'provider', "became" ->> 'upstream_model') = ("providers"."slug", "endpoints"."upstream_model")
      AND ("was" -> 'price' <> "became" -> 'price' OR "became" ->> 'price_source' = 'admin')
  );
