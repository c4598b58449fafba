-- The messages of a blocked request before masking; `input` has labels in place of what was blocked.
ALTER TABLE "generation_contents" ADD COLUMN "blocked_input" JSONB;
