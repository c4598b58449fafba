/** Seed of random test inputs. The default repeats the same ones, so that a failure is due to a change; TEST_SEED chooses others. */
export const TEST_SEED = Number(process.env["TEST_SEED"] ?? 1);

/** True in `npm run test:all`, which tests properties with all their cases; otherwise with a tenth. */
const HAS_ALL_CASES = process.env["TEST_CASES"] === "all";

/** The number of cases of a property in this run. */
export const cases = (all: number): number => (HAS_ALL_CASES ? all : Math.ceil(all / 10));
