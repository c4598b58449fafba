-- CreateTable
CREATE TABLE "key_spend_days" (
    "key_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "is_byok" BOOLEAN NOT NULL,
    "cost_micro_usd" BIGINT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "key_spend_days_pkey" PRIMARY KEY ("key_id","day","is_byok")
);

-- AddForeignKey
ALTER TABLE "key_spend_days" ADD CONSTRAINT "key_spend_days_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was spent before, as far as its generations are still here.
INSERT INTO "key_spend_days" ("key_id", "day", "is_byok", "cost_micro_usd", "last_used_at")
SELECT "key_id", ("created_at" AT TIME ZONE 'UTC')::date, "is_byok", sum("cost_micro_usd"), max("created_at")
FROM "generations" WHERE "key_id" IS NOT NULL
GROUP BY 1, 2, 3;
