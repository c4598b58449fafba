-- Sums by the tags of a key and its member: usage by tag read the sums of all keys and days.
CREATE TABLE "tag_sets" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tags" TEXT[],

    CONSTRAINT "tag_sets_pkey" PRIMARY KEY ("organization_id", "id")
);

CREATE TABLE "tag_placements" (
    "organization_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "key_tags" TEXT[],
    "member_tags" TEXT[],
    "tag_set_id" UUID NOT NULL,

    CONSTRAINT "tag_placements_pkey" PRIMARY KEY ("organization_id", "key_id", "user_id")
);

CREATE TABLE "tag_rollups" (
    "organization_id" UUID NOT NULL,
    "grain" "rollup_grain" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "workspace_id" UUID NOT NULL,
    "tag_set_id" UUID NOT NULL,
    "status" "generation_status" NOT NULL,
    "requests" BIGINT NOT NULL,
    "spend" BIGINT NOT NULL,
    "tokens_prompt" BIGINT NOT NULL,
    "tokens_completion" BIGINT NOT NULL,
    "tokens_cached" BIGINT NOT NULL,
    "timed_tokens" BIGINT NOT NULL,
    "timed_ms" BIGINT NOT NULL,

    CONSTRAINT "tag_rollups_pkey" PRIMARY KEY ("organization_id", "grain", "at", "workspace_id", "tag_set_id", "status")
) PARTITION BY LIST ("grain");
CREATE TABLE "tag_rollups_day" PARTITION OF "tag_rollups" FOR VALUES IN ('day');
CREATE TABLE "tag_rollups_week" PARTITION OF "tag_rollups" FOR VALUES IN ('week');

ALTER TABLE "tag_sets" ADD CONSTRAINT "tag_sets_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "tag_placements" ADD CONSTRAINT "tag_placements_organization_id_tag_set_id_fkey" FOREIGN KEY ("organization_id", "tag_set_id") REFERENCES "tag_sets"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "tag_rollups" ADD CONSTRAINT "tag_rollups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From the sums by key and member, so that nothing is added up again.
WITH placed AS MATERIALIZED (
    SELECT pairs.*, coalesce("keys".tags, '{}') AS key_tags, coalesce("members".tags, '{}') AS member_tags, md5(sets.tags::text)::uuid AS tag_set_id, sets.tags
    FROM (SELECT DISTINCT organization_id, key_id, user_id FROM "key_rollups") pairs
        LEFT JOIN "keys" ON "keys".id = pairs.key_id LEFT JOIN "members" ON "members".id = pairs.user_id
        CROSS JOIN LATERAL (SELECT ARRAY(SELECT DISTINCT tag COLLATE "C" FROM unnest("keys".tags || "members".tags) tag ORDER BY 1)) sets(tags)
), new_sets AS (
    INSERT INTO "tag_sets" SELECT DISTINCT organization_id, tag_set_id, tags FROM placed
), placements AS (
    INSERT INTO "tag_placements" SELECT organization_id, key_id, user_id, key_tags, member_tags, tag_set_id FROM placed
)
INSERT INTO "tag_rollups"
SELECT organization_id, grain, at, workspace_id, tag_set_id, status, sum(requests), sum(spend), sum(tokens_prompt), sum(tokens_completion),
    sum(tokens_cached), sum(timed_tokens), sum(timed_ms)
FROM "key_rollups" JOIN placed USING (organization_id, key_id, user_id)
GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6;
