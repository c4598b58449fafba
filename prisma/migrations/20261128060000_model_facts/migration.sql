-- The vendor of a model has a source. Null: not determined yet, which a start of the server does (lib/records/models/vendor-correction-service.ts).
CREATE TYPE "fact_source" AS ENUM ('catalogue', 'upstream', 'admin', 'unknown');

ALTER TABLE "models"
  ADD COLUMN "vendor_source" "fact_source",
  ADD COLUMN "previous_vendor" TEXT;
