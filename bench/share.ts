// The short benchmark of npm run test:all: Signalbox's share of the floor beside the share in bench/figures.json. It fails below half of that,
// by requests per second as well as by processor time, and never because of an absolute time.
import { readFigures } from "./figures";
import { openLab } from "./lab";
import { measure, type Measured } from "./measure";
import { FLOOR, SCENARIOS, SHARE_CONTENDERS, SIGNALBOX } from "./scenarios";
import { cpuRatio, ratio } from "./statistics";

/** The code is compiled to its fastest form only after some thousand requests. */
const SHORT = { rounds: 3, seconds: 0.8, warmUpSeconds: 3 };
const LEAST = 0.5;

/** Shares of the floor: requests per second, and processor time of a request. */
function sharesOf(measured: readonly Measured[]): [rate: number, cpu: number] {
  const [ours, floor] = [SIGNALBOX, FLOOR].map((name) => measured.find((contender) => contender.name === name));
  if (!ours || !floor) throw new Error(`no figures of ${SIGNALBOX} and ${FLOOR}`);
  return [ratio(ours, floor).median, cpuRatio(ours, floor)];
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const committed = readFigures();
const lab = await openLab();
try {
  for (const name of ["answers", "streams"] as const) {
    const { title, connections } = SCENARIOS[name];
    const known = committed[name]?.measured;
    if (!known) throw new Error(`bench/figures.json has no ${name}`);
    const measured = await measure(await SHARE_CONTENDERS[name](lab), {
      ...SHORT,
      connections,
      databasePids: lab.databasePids,
    });
    const [rate, cpu] = sharesOf(measured);
    const [knownRate, knownCpu] = sharesOf(known);
    const isSlower = rate < knownRate * LEAST && cpu < knownCpu * LEAST;
    process.stdout.write(
      `${isSlower ? "✗" : "✓"} ${title}: ${percent(rate)} of the floor's req/s (committed ${percent(knownRate)}), ${percent(cpu)} by CPU (${percent(knownCpu)})\n`,
    );
    if (isSlower) process.exitCode = 1;
  }
} finally {
  await lab.stop();
}
