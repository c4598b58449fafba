-- The words of a content. The cost makes the planner avoid reading the texts of many contents one by one: a call takes about as long as reading 20 pages.
CREATE FUNCTION "content_words"("search_text" TEXT) RETURNS TSVECTOR LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
BEGIN
  RETURN pg_catalog.to_tsvector('pg_catalog.simple'::pg_catalog.regconfig, pg_catalog.left(search_text, 200000));
END $$;
DROP INDEX "generation_contents_search_idx";
CREATE INDEX "generation_contents_search_idx" ON "generation_contents" USING GIN ("content_words"("search_text"));

-- These were for a page of a filter together with blocked requests, whose own index suffices within a time range.
DROP INDEX "generations_organization_id_model_created_at_blocked_idx";
DROP INDEX "generations_organization_id_cost_micro_usd_blocked_idx";
