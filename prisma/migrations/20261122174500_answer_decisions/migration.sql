-- AlterTable
ALTER TABLE "decisions" ADD COLUMN     "direction" TEXT,
ADD COLUMN     "withheld" INTEGER;
