-- CreateEnum
CREATE TYPE "assignment_kind" AS ENUM ('keys', 'members');

-- CreateTable
CREATE TABLE "guardrail_assignment_changes" (
    "id" UUID NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "kind" "assignment_kind" NOT NULL,
    "steps" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "guardrail_assignment_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "guardrail_assignment_changes_workspace_id_kind_position_idx" ON "guardrail_assignment_changes"("workspace_id", "kind", "position");

-- CreateIndex
CREATE INDEX "guardrail_assignment_changes_created_at_idx" ON "guardrail_assignment_changes"("created_at");

-- AddForeignKey
ALTER TABLE "guardrail_assignment_changes" ADD CONSTRAINT "guardrail_assignment_changes_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
