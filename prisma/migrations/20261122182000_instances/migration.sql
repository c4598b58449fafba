-- CreateTable
CREATE TABLE "instances" (
    "id" UUID NOT NULL,
    "secret_key_ids" TEXT[],
    "writes_with" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "instances_pkey" PRIMARY KEY ("id")
);
