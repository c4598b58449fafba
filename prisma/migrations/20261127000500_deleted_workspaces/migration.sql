ALTER TABLE "workspaces" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
