-- CreateEnum
CREATE TYPE "limit_metric" AS ENUM ('spend', 'requests', 'tokens', 'concurrent_requests');

-- AlterTable
ALTER TABLE "budgets" ADD COLUMN     "carried_micro_usd" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "limits" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID,
    "name" TEXT NOT NULL,
    "subject" "budget_subject" NOT NULL,
    "subject_ids" TEXT[],
    "is_for_each" BOOLEAN NOT NULL,
    "metric" "limit_metric" NOT NULL,
    "amount" BIGINT NOT NULL,
    "window" "budget_window" NOT NULL,
    "time_zone" TEXT NOT NULL,
    "start_hour" INTEGER NOT NULL,
    "start_weekday" INTEGER NOT NULL,
    "start_month_day" INTEGER NOT NULL,
    "include_byok" BOOLEAN NOT NULL,
    "carry_over" BOOLEAN NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "counts_since" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "limits_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "limits_organization_id_name_key" ON "limits"("organization_id", "name");

-- AddForeignKey
ALTER TABLE "limits" ADD CONSTRAINT "limits_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "limits" ADD CONSTRAINT "limits_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The limits of an organization decide its requests and are cached.
CREATE TRIGGER note_insert AFTER INSERT ON limits REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_update AFTER UPDATE ON limits REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_delete AFTER DELETE ON limits REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');

-- Spend starts below zero by what is carried over.
ALTER TABLE "budgets" DROP CONSTRAINT "budgets_spent_range";
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_spent_range" CHECK ("carried_micro_usd" >= 0 AND "spent_micro_usd" + "carried_micro_usd" >= 0);
ALTER TABLE "limits" ADD CONSTRAINT "limits_ranges" CHECK (
  "amount" >= 0 AND "start_hour" BETWEEN 0 AND 23 AND "start_weekday" BETWEEN 1 AND 7 AND "start_month_day" BETWEEN 1 AND 31
);
