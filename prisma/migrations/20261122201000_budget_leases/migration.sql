-- AlterTable
ALTER TABLE "budgets" ADD COLUMN     "recalled_at" TIMESTAMPTZ(3);

-- DropTable: reservations end with the processes that made them
DROP TABLE "budget_reservations";

-- CreateTable
CREATE TABLE "budget_leases" (
    "budget_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "micro_usd" BIGINT NOT NULL,
    "reserved_micro_usd" BIGINT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "budget_leases_pkey" PRIMARY KEY ("budget_id","id")
);

-- AddForeignKey
ALTER TABLE "budget_leases" ADD CONSTRAINT "budget_leases_budget_id_fkey" FOREIGN KEY ("budget_id") REFERENCES "budgets"("id") ON DELETE CASCADE ON UPDATE CASCADE;
