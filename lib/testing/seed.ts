/** Seed of random test inputs. The default repeats the same ones, so that a failure is due to a change; TEST_SEED chooses others. */
export const TEST_SEED = Number(process.env["TEST_SEED"] ?? 1);
