ALTER TYPE "protocol" ADD VALUE 'messages';
ALTER TYPE "protocol" ADD VALUE 'generate_content';
ALTER TYPE "protocol" ADD VALUE 'converse';

CREATE TYPE "provider_kind" AS ENUM ('openai', 'anthropic', 'azure', 'gemini', 'vertex', 'bedrock');

ALTER TABLE "providers"
  ADD COLUMN "kind" "provider_kind" NOT NULL DEFAULT 'openai',
  ADD COLUMN "settings" JSONB,
  ADD COLUMN "credentials" JSONB;
