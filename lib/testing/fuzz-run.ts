/** Number of fuzzed bodies: set FUZZ_BODIES=100000 for a long run. */
export const FUZZ_COUNT = Number(process.env["FUZZ_BODIES"] ?? 1000);
