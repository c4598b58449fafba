import { largeInstall } from "../lib/demo/large-install";
import type { Lab } from "./lab";

const SIZE = { generations: 1_000_000, keys: 10_000, guardrails: 1_000, contents: 0 };
/** Database of the filled install. */
export const FILLED_DATABASE = "filled";

const filled = new WeakMap<Lab, Promise<void>>();

/** Fills an install on first use. */
export const fillInstall = (lab: Lab): Promise<void> => {
  const filling = filled.get(lab) ?? fill(lab);
  filled.set(lab, filling);
  return filling;
};

async function fill(lab: Lab): Promise<void> {
  await lab.signalbox(FILLED_DATABASE);
  await lab.query(FILLED_DATABASE, largeInstall(SIZE).join(";"));
  await lab.query(FILLED_DATABASE, "VACUUM ANALYZE");
}
