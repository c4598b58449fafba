-- CreateEnum
CREATE TYPE "exception_kind" AS ENUM ('raise_limit', 'lift_rule', 'allow_phrase');

-- AlterTable
ALTER TABLE "decisions" ADD COLUMN     "exception" JSONB;

-- CreateTable
CREATE TABLE "exceptions" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "key_id" UUID,
    "user_id" TEXT,
    "guardrail_id" UUID,
    "kind" "exception_kind" NOT NULL,
    "field" TEXT,
    "rule" TEXT,
    "raise_micro_usd" BIGINT,
    "phrase" TEXT,
    "reason" TEXT NOT NULL,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "exceptions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "exceptions_organization_id_created_at_id_idx" ON "exceptions"("organization_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "exceptions_key_id_expires_at_idx" ON "exceptions"("key_id", "expires_at");

-- CreateIndex
CREATE INDEX "exceptions_user_id_expires_at_idx" ON "exceptions"("user_id", "expires_at");

-- CreateIndex
CREATE INDEX "exceptions_guardrail_id_expires_at_idx" ON "exceptions"("guardrail_id", "expires_at");

-- AddForeignKey
ALTER TABLE "exceptions" ADD CONSTRAINT "exceptions_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exceptions" ADD CONSTRAINT "exceptions_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exceptions" ADD CONSTRAINT "exceptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exceptions" ADD CONSTRAINT "exceptions_guardrail_id_fkey" FOREIGN KEY ("guardrail_id") REFERENCES "guardrails"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Of one key or one member, and with what its kind needs.
ALTER TABLE "exceptions" ADD CONSTRAINT "exceptions_subject_check" CHECK (("key_id" IS NULL) <> ("user_id" IS NULL));
ALTER TABLE "exceptions" ADD CONSTRAINT "exceptions_kind_check" CHECK (
    CASE "kind"
        WHEN 'raise_limit' THEN "raise_micro_usd" > 0 AND ("guardrail_id" IS NOT NULL OR "key_id" IS NOT NULL)
        WHEN 'lift_rule' THEN "guardrail_id" IS NOT NULL AND "field" IS NOT NULL
        WHEN 'allow_phrase' THEN "guardrail_id" IS NULL AND "phrase" <> ''
    END
);
