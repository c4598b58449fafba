/**
 * Returns the milliseconds of this process's processor time that `work` takes: the minimum of several runs. Other
 * processes don't count.
 */
export async function processorTime(work: () => unknown, runs = 3): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

/** Milliseconds below which a time depends more on the machine than on the work. */
const SHORT = 25;

/**
 * Returns the processor time of `work` on a large size, as a multiple of the time on a quarter of it: about 4 for
 * linear growth and 16 for quadratic growth. Very short times count as {@link SHORT}, so that a result below 10 means
 * that time grows linearly or is small.
 */
export async function growth(size: number, work: (size: number) => unknown): Promise<number> {
  const once = await processorTime(() => work(size), 1);
  if (once < 4 * SHORT) return once / SHORT;
  const short = await processorTime(() => work(size / 4));
  return (await processorTime(() => work(size))) / Math.max(SHORT, short);
}
