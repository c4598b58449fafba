export const LINT_SEVERITIES = ["error", "warning", "info"] as const;
