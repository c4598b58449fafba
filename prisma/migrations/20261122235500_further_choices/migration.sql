-- Choices of an answer beyond what completion, reasoning and tool_calls say.
ALTER TABLE "generation_contents" ADD COLUMN "choices" JSONB;
