ALTER TABLE "generations" ADD COLUMN "trace_id" TEXT;

-- Prisma can't describe partial indexes. Most generations have no trace.
CREATE INDEX "generations_organization_id_trace_id_created_at_idx" ON "generations"("organization_id", "trace_id", "created_at") WHERE "trace_id" IS NOT NULL;
