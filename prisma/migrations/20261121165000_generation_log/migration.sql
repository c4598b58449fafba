-- AlterTable
ALTER TABLE "generations" ADD COLUMN     "recorded_in" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint;

-- CreateTable
CREATE TABLE "saved_views" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "owner_id" TEXT,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "is_shared" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_views_organization_id_page_owner_id_name_key" ON "saved_views"("organization_id", "page", "owner_id", "name");

-- CreateIndex
CREATE INDEX "decisions_action_created_at_idx" ON "decisions"("action", "created_at");

-- CreateIndex
CREATE INDEX "decisions_field_created_at_idx" ON "decisions"("field", "created_at");

-- CreateIndex
CREATE INDEX "generations_workspace_id_created_at_id_idx" ON "generations"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "generations_organization_id_recorded_in_id_idx" ON "generations"("organization_id", "recorded_in", "id");

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A rule may be as long as a pattern is: longer than an index entry may be.
CREATE INDEX "decisions_rule_idx" ON "decisions"(md5("rule"), "created_at");
