-- AlterTable
ALTER TABLE "guardrails" ADD COLUMN     "tests_required" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "policy_tests" (
    "id" UUID NOT NULL,
    "guardrail_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "protocol" "protocol" NOT NULL,
    "request" JSONB NOT NULL,
    "outcome" TEXT NOT NULL,
    "field" TEXT,
    "rule" TEXT,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "policy_tests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "policy_tests_guardrail_id_created_at_id_idx" ON "policy_tests"("guardrail_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "policy_tests" ADD CONSTRAINT "policy_tests_guardrail_id_fkey" FOREIGN KEY ("guardrail_id") REFERENCES "guardrails"("id") ON DELETE CASCADE ON UPDATE CASCADE;
