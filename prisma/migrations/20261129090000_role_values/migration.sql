-- AlterEnum
-- New values of an enum can be used from the next transaction on, so they have a migration of their own. Their order is that of lists by role.
ALTER TYPE "role" ADD VALUE 'owner' BEFORE 'admin';
ALTER TYPE "role" ADD VALUE 'policy_editor' BEFORE 'member';
ALTER TYPE "role" ADD VALUE 'analyst';
ALTER TYPE "role" ADD VALUE 'auditor';
ALTER TYPE "role" ADD VALUE 'billing';
