-- AlterTable
ALTER TABLE "limits" ADD COLUMN     "carries_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "limits" SET "carries_since" = "counts_since";

-- CreateIndex
CREATE INDEX "budgets_window_window_start_idx" ON "budgets"("window", "window_start");
