-- AlterTable
ALTER TABLE "organizations" ADD COLUMN "key_self_service" JSONB;
