-- Requests whose cost is unknown, which the sums of costs lack. No earlier request is known to be one.
ALTER TABLE "usage_rollups" ADD COLUMN "unpriced" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "preset_rollups" ADD COLUMN "unpriced" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "member_rollups" ADD COLUMN "unpriced" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "key_rollups" ADD COLUMN "unpriced" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "tag_rollups" ADD COLUMN "unpriced" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "subject_rollups" ADD COLUMN "unpriced" BIGINT NOT NULL DEFAULT 0;
