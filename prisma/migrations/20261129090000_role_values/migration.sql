-- AlterEnum
-- New values of an enum can be used from the next transaction on, so they have a migration of their own.
ALTER TYPE "role" ADD VALUE 'owner';
ALTER TYPE "role" ADD VALUE 'policy_editor';
ALTER TYPE "role" ADD VALUE 'analyst';
ALTER TYPE "role" ADD VALUE 'auditor';
ALTER TYPE "role" ADD VALUE 'billing';
