export const CHECK_FORMATS = ["signalbox", "litellm"] as const;
/** `unavailable`: a check returned no verdict. */
export const CHECK_VERDICTS = ["allow", "block", "redact", "flag", "unavailable"] as const;
export const JUDGE_ACTIONS = ["block", "flag"] as const;
export const MAX_CHECKS = 5;
export const CHECK_TIMEOUT_MS = { min: 100, max: 30_000, default: 5_000 } as const;
/** Default settings of an external check. */
export const CHECK_DEFAULTS = { format: "signalbox", scope: "request", timeout_ms: CHECK_TIMEOUT_MS.default } as const;
/** Default settings of a judge. */
export const JUDGE_DEFAULTS = { threshold: 0.5, scope: "request", timeout_ms: 10_000 } as const;
/** A signing secret of Standard Webhooks: 24 to 64 bytes. */
export const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
