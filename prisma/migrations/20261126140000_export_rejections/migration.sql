-- Spans and log records that a receiver rejected, the generation that was skipped, and the size of the next batch after a rejection.
ALTER TABLE "export_destinations" ADD COLUMN "batch_size" INTEGER;
ALTER TABLE "export_runs"
  ADD COLUMN "rejected" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "rejection" TEXT,
  ADD COLUMN "skipped_generation_id" TEXT;
