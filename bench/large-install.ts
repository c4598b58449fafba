import { largeInstall } from "../lib/demo/large-install";
import type { Lab } from "./lab";

/** Generations of the filled install. */
export const FILLED_GENERATIONS = 1_000_000;
/** Generations for each key, and for each guardrail. */
const [PER_KEY, PER_GUARDRAIL] = [100, 1_000];
/** Database of the filled install. */
export const FILLED_DATABASE = "filled";

const filled = new WeakMap<Lab, Promise<void>>();

/** Fills an install on first use. */
export const fillInstall = (lab: Lab, generations: number): Promise<void> => {
  const filling = filled.get(lab) ?? fill(lab, generations);
  filled.set(lab, filling);
  return filling;
};

async function fill(lab: Lab, generations: number): Promise<void> {
  const [keys, guardrails] = [generations / PER_KEY, generations / PER_GUARDRAIL].map(Math.ceil) as [number, number];
  await lab.signalbox(FILLED_DATABASE);
  await lab.query(FILLED_DATABASE, largeInstall({ generations, keys, guardrails, contents: 0 }).join(";"));
  await lab.query(FILLED_DATABASE, "VACUUM ANALYZE");
}
