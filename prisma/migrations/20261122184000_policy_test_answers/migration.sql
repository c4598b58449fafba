-- AlterTable
ALTER TABLE "policy_tests" ADD COLUMN     "answer" TEXT;
