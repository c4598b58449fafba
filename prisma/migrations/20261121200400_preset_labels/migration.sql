-- CreateTable
CREATE TABLE "preset_labels" (
    "preset_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "preset_labels_pkey" PRIMARY KEY ("preset_id","name")
);

-- AddForeignKey
ALTER TABLE "preset_labels" ADD CONSTRAINT "preset_labels_preset_id_version_fkey" FOREIGN KEY ("preset_id", "version") REFERENCES "preset_versions"("preset_id", "version") ON DELETE CASCADE ON UPDATE CASCADE;

-- A label is never mistaken for a number of a version.
ALTER TABLE "preset_labels" ADD CONSTRAINT "preset_labels_name_check" CHECK ("name" ~ '^[a-z][a-z0-9]*([-_.][a-z0-9]+)*$' AND length("name") <= 32);
