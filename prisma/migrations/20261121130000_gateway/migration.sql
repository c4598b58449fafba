-- CreateEnum
CREATE TYPE "budget_window" AS ENUM ('daily', 'weekly', 'monthly', 'lifetime');

-- Budgets get an identity and a named window. Nothing was ever written to the table before.
DROP TABLE "budgets";

-- CreateTable
CREATE TABLE "budgets" (
    "id" UUID NOT NULL,
    "source_id" UUID NOT NULL,
    "subject" "budget_subject" NOT NULL,
    "subject_id" TEXT NOT NULL,
    "window" "budget_window" NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "spent_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budgets_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "budgets_spent_range" CHECK ("spent_micro_usd" >= 0)
);

-- AlterTable
ALTER TABLE "endpoints" ADD COLUMN     "supported_parameters" JSONB;

-- AlterTable
ALTER TABLE "generations" ADD COLUMN     "metadata" JSONB,
ADD COLUMN     "usage_estimated" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "models" ADD COLUMN     "distillable" BOOLEAN;

-- CreateTable
CREATE TABLE "budget_reservations" (
    "budget_id" UUID NOT NULL,
    "generation_id" TEXT NOT NULL,
    "micro_usd" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budget_reservations_pkey" PRIMARY KEY ("budget_id","generation_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "budgets_source_id_subject_subject_id_window_window_start_key" ON "budgets"("source_id", "subject", "subject_id", "window", "window_start");

-- AddForeignKey
ALTER TABLE "budget_reservations" ADD CONSTRAINT "budget_reservations_budget_id_fkey" FOREIGN KEY ("budget_id") REFERENCES "budgets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema language can't say.
ALTER TABLE "budget_reservations" ADD CONSTRAINT "budget_reservations_amount_range" CHECK ("micro_usd" >= 0);
