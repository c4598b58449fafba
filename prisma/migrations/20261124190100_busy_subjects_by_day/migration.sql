-- Sums of busy keys and members are by day only; the job adds them up again.
DROP TABLE "subject_rollups_week";
DELETE FROM "busy_subjects";
DELETE FROM "subject_rollups";
DELETE FROM "subject_latency_rollups";
