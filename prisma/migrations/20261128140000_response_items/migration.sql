-- Output items of Responses answers, to which later requests can refer.
ALTER TABLE "generation_contents" ADD COLUMN "items" JSONB;

CREATE TABLE "response_items" (
    "key_id" UUID NOT NULL,
    "item_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "generation_id" TEXT NOT NULL,

    CONSTRAINT "response_items_pkey" PRIMARY KEY ("key_id","item_id","created_at","generation_id")
);

CREATE INDEX "response_items_created_at_idx" ON "response_items"("created_at");
