-- CreateEnum
CREATE TYPE "export_kind" AS ENUM ('otlp', 's3_jsonl');

-- CreateEnum
CREATE TYPE "export_content" AS ENUM ('none', 'masked', 'full');

-- CreateTable
CREATE TABLE "export_destinations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "export_kind" NOT NULL,
    "content" "export_content" NOT NULL,
    "target" JSONB NOT NULL,
    "secret_ciphertext" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "paused_reason" TEXT,
    "recorded_in" BIGINT NOT NULL,
    "generation_id" TEXT NOT NULL,
    "next_run_at" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "export_destinations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export_runs" (
    "id" UUID NOT NULL,
    "destination_id" UUID NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "generations" INTEGER NOT NULL,
    "error" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,

    CONSTRAINT "export_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "export_destinations_organization_id_created_at_idx" ON "export_destinations"("organization_id", "created_at");

-- CreateIndex
CREATE INDEX "export_runs_destination_id_started_at_idx" ON "export_runs"("destination_id", "started_at");

-- AddForeignKey
ALTER TABLE "export_destinations" ADD CONSTRAINT "export_destinations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "export_runs" ADD CONSTRAINT "export_runs_destination_id_fkey" FOREIGN KEY ("destination_id") REFERENCES "export_destinations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
