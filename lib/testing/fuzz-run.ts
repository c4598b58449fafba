/** Number of fuzzed bodies: set FUZZ_BODIES=100000 for a long run. */
export const FUZZ_COUNT = Number(process.env["FUZZ_BODIES"] ?? 1000);
/** Set FUZZ_SEED for other bodies; the default repeats the same ones, so that a failure is due to a change. */
export const FUZZ_SEED = Number(process.env["FUZZ_SEED"] ?? 1);
