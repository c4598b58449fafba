// npm run bench:compare -- ../other answers streams: this checkout beside another one, interleaved in one run.
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { openLab } from "./lab";
import { measure } from "./measure";
import { PROFILES } from "./scenarios";
import { median } from "./statistics";

const { values, positionals, fail } = scriptArguments(
  "npm run bench:compare -- <folder of another checkout, built there> [scenario …]",
  {
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "15" },
      seconds: { type: "string", default: "1" },
      connections: { type: "string", default: "32" },
    },
  },
);
const [other, ...given] = positionals;
if (other === undefined) fail("The folder of another checkout is required");
const names = (given.length > 0 ? given : ["answers"]) as (keyof typeof PROFILES)[];

const lab = await openLab();
try {
  for (const name of names) {
    const contenders = [
      await PROFILES[name](lab, { name: "other", database: "other", root: other }),
      await PROFILES[name](lab, { name: "this", database: "this" }),
    ];
    const measured = await measure(contenders, {
      connections: Number(values.connections),
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      warmUpSeconds: null,
      databasePids: lab.databasePids,
    });
    const [others = { rounds: [] }, own = { rounds: [] }] = measured;
    const ratios = own.rounds.map(({ cpuMicros }, at) => (cpuMicros ?? NaN) / (others.rounds[at]?.cpuMicros ?? NaN));
    process.stdout.write(
      `${name}, ${median(ratios).toFixed(3)} of the other's processor time by rounds\n\n| | CPU µs | lowest | database CPU µs | req/s |\n|---|---:|---:|---:|---:|\n`,
    );
    for (const { name: of, rounds } of measured) {
      const cpu = rounds.map(({ cpuMicros }) => cpuMicros ?? NaN);
      const database = rounds.map(({ databaseCpuMicros }) => databaseCpuMicros ?? NaN);
      const figures = [
        median(cpu),
        Math.min(...cpu),
        median(database),
        median(rounds.map((each) => each.requestsPerSecond)),
      ];
      process.stdout.write(`| ${of} | ${figures.map((figure) => figure.toFixed(0)).join(" | ")} |\n`);
    }
    process.stdout.write("\n");
  }
} finally {
  await lab.stop();
}
