-- The steps of `timings` that no other column has. Older records keep the object.
ALTER TABLE "generations"
  ADD COLUMN "queue_ms" INTEGER,
  ADD COLUMN "policy_ms" INTEGER,
  ADD COLUMN "filters_ms" INTEGER,
  ADD COLUMN "checks_ms" INTEGER;
