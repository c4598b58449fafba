-- CreateEnum
CREATE TYPE "guardrail_mode" AS ENUM ('enforce', 'observe');

-- AlterTable
ALTER TABLE "guardrails" ADD COLUMN     "mode" "guardrail_mode" NOT NULL DEFAULT 'enforce';
