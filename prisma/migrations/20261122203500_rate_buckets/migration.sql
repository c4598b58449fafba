-- CreateTable: unlogged, because a limit that starts full after a crash does no harm
CREATE UNLOGGED TABLE "rate_buckets" (
    "subject" TEXT NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "granted" INTEGER NOT NULL,

    CONSTRAINT "rate_buckets_pkey" PRIMARY KEY ("subject")
);

-- CreateIndex
CREATE INDEX "rate_buckets_at_idx" ON "rate_buckets"("at");
