/**
 * Latency bins are a twelfth of an octave wide: bin `floor(12 × log2(ms))`, -1 for 0 ms. Counts of the same bin add up,
 * so that any percentile of combined counts is accurate to half a bin, 2.9 %.
 */
export const BINS_PER_OCTAVE = 12;

/** Returns the middle of a bin in whole milliseconds, like its latencies. */
export const valueOfBin = (bin: number): number => (bin < 0 ? 0 : Math.round(2 ** ((bin + 0.5) / BINS_PER_OCTAVE)));
