-- Tables of the log are emptied by partition, one without the other: rows of a generation are deleted together by the statements that delete it.
ALTER TABLE "generation_contents" DROP CONSTRAINT "generation_contents_created_at_generation_id_fkey";
ALTER TABLE "decisions" DROP CONSTRAINT "decisions_created_at_generation_id_fkey";

-- Most generations succeed: their rows in this index were hardly read, as the index by time finds them as fast.
DROP INDEX "generations_organization_id_status_created_at_idx";
CREATE INDEX "generations_organization_id_status_created_at_idx" ON "generations"("organization_id", "status", "created_at") WHERE "status" <> 'succeeded';
