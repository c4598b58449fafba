-- AlterTable
ALTER TABLE "providers" ADD COLUMN     "last_test" JSONB;
