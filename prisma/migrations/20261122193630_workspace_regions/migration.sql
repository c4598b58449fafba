ALTER TABLE "workspaces" ADD COLUMN "regions" TEXT[] DEFAULT ARRAY[]::TEXT[];
