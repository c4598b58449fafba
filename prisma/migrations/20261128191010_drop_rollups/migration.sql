-- The former sums, and what they were moved and found by.
DROP TABLE "usage_rollups", "preset_rollups", "member_rollups", "key_rollups", "tag_rollups", "latency_rollups", "rule_rollups", "subject_rollups",
    "subject_latency_rollups", "tag_placements", "tag_sets", "guardrail_keys", "busy_subjects", "rollup_progress";
DROP TYPE "rollup_grain";
