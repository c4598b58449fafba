/** Number of fuzzed bodies: set FUZZ_BODIES=100000 for a long run. */
export const FUZZ_COUNT = Number(process.env["FUZZ_BODIES"] ?? 1000);
/** Set FUZZ_SEED to repeat a run. */
export const FUZZ_SEED = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);
