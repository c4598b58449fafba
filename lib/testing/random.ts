/**
 * Seed of random test inputs. The default repeats them, so that a failure is due to a change; TEST_SEED selects others.
 */
export const TEST_SEED = Number(process.env["TEST_SEED"] ?? 1);

/** True in `npm run test:all`. */
const HAS_ALL_CASES = process.env["TEST_CASES"] === "all";

/** Returns the number of cases of a property in this run: all, or a tenth. */
export const cases = (all: number): number => (HAS_ALL_CASES ? all : Math.ceil(all / 10));

/** The values of a table that this run tests: all, or every nth. */
export const everyNth = <Value>(n: number, values: readonly Value[]): readonly Value[] =>
  values.filter((_, index) => HAS_ALL_CASES || index % n === 0);
