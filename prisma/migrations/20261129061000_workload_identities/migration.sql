-- AlterTable
ALTER TABLE "key_secrets" ADD COLUMN     "workload" JSONB;

-- CreateTable
CREATE TABLE "workload_identities" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "jwks" JSONB,
    "claims" JSONB NOT NULL,
    "lifetime_seconds" INTEGER NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "workload_identities_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "workload_identities_key_id_idx" ON "workload_identities"("key_id");

-- CreateIndex
CREATE INDEX "workload_identities_issuer_idx" ON "workload_identities"("issuer");

-- CreateIndex
CREATE INDEX "workload_identities_organization_id_idx" ON "workload_identities"("organization_id");

-- AddForeignKey
ALTER TABLE "workload_identities" ADD CONSTRAINT "workload_identities_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workload_identities" ADD CONSTRAINT "workload_identities_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
