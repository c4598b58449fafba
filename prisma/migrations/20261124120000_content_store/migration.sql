-- AlterTable
ALTER TABLE "generation_contents" ADD COLUMN     "storage_key" TEXT,
ADD COLUMN     "stored_bytes" INTEGER,
ADD COLUMN     "awaits_upload" BOOLEAN;

-- Contents that the object storage didn't accept; empty while it works.
CREATE INDEX "generation_contents_awaits_upload_idx" ON "generation_contents" ("created_at", "generation_id") WHERE "awaits_upload";

-- CreateTable
CREATE TABLE "content_keys" (
    "organization_id" UUID NOT NULL,
    "ciphertext" TEXT NOT NULL,

    CONSTRAINT "content_keys_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "content_removals" (
    "storage_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "generation_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "content_removals_pkey" PRIMARY KEY ("storage_key")
);

-- CreateIndex
CREATE INDEX "content_removals_due_at_idx" ON "content_removals"("due_at");

-- AddForeignKey
ALTER TABLE "content_keys" ADD CONSTRAINT "content_keys_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Notes the object of a deleted content in the deleting transaction, whichever statement deletes it.
CREATE FUNCTION note_content_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO content_removals (storage_key, created_at, generation_id)
  VALUES (OLD.storage_key, OLD.created_at, OLD.generation_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER note_removal AFTER DELETE ON "generation_contents"
  FOR EACH ROW WHEN (OLD.storage_key IS NOT NULL) EXECUTE FUNCTION note_content_removal();

-- Daily comparison of the object storage with the contents.
SELECT signalbox_jobs.create_queue('content-sweep', '{"policy": "short", "retryLimit": 0, "expireInSeconds": 3600}');
