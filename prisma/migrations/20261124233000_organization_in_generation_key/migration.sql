-- Every query names its organization, so that the primary key also finds its generations in order of time.
DROP INDEX "generations_organization_id_created_at_idx";
ALTER TABLE "generations" DROP CONSTRAINT "generations_pkey", ADD CONSTRAINT "generations_pkey" PRIMARY KEY ("organization_id", "created_at", "id");

-- The few generations that a transaction records are sorted by id.
DROP INDEX "generations_organization_id_recorded_in_id_idx";
CREATE INDEX "generations_organization_id_recorded_in_idx" ON "generations"("organization_id", "recorded_in");
