-- AlterTable
ALTER TABLE "endpoints" ADD COLUMN "price_details" JSONB;

-- AlterTable
ALTER TABLE "models" ADD COLUMN "max_output_tokens" INTEGER;
