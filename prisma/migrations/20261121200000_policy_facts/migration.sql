-- AlterTable
ALTER TABLE "generations" ADD COLUMN     "policy_facts" JSONB;

-- CreateTable
CREATE TABLE "catalogue_snapshots" (
    "organization_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "endpoints" JSONB NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "catalogue_snapshots_pkey" PRIMARY KEY ("organization_id","hash")
);

-- AddForeignKey
ALTER TABLE "catalogue_snapshots" ADD CONSTRAINT "catalogue_snapshots_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
