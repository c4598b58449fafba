-- AlterEnum
-- New values of an enum can be used from the next transaction on, so they have a migration of their own.
ALTER TYPE "decision_scope" ADD VALUE 'organization';
ALTER TYPE "budget_subject" ADD VALUE 'organization';
ALTER TYPE "budget_subject" ADD VALUE 'workspace';
ALTER TYPE "budget_subject" ADD VALUE 'tag';
ALTER TYPE "budget_subject" ADD VALUE 'keys';
ALTER TYPE "budget_subject" ADD VALUE 'end_user';
ALTER TYPE "budget_subject" ADD VALUE 'model';
ALTER TYPE "budget_subject" ADD VALUE 'provider';
ALTER TYPE "budget_window" ADD VALUE 'minutely';
ALTER TYPE "budget_window" ADD VALUE 'hourly';
