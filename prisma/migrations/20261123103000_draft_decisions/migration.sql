-- Decisions of an unsaved guardrail that a playground request was judged by.
ALTER TYPE "decision_scope" ADD VALUE 'draft';
