// npm run bench:gateway: Signalbox, the floor, another gateway and a bare handler, interleaved in one run on one machine.
// npm run bench:gateway -- answers streams --rounds 3 --seconds 2 --save
import { execFileSync } from "node:child_process";
import { availableParallelism, cpus } from "node:os";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { barsTable, saveFigures, scenarioTable, type AllFigures } from "./figures";
import { openLab } from "./lab";
import { measure } from "./measure";
import { FILLED_GENERATIONS } from "./large-install";
import { SCENARIOS, sizeScenarios, type Scenario } from "./scenarios";

const { values, positionals } = scriptArguments("npm run bench:gateway -- [scenario …]", {
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    // Also measures a filled install, which takes minutes to fill.
    size: { type: "boolean", default: false },
    generations: { type: "string", default: String(FILLED_GENERATIONS) },
    // Stores the figures in bench/figures.json.
    save: { type: "boolean", default: false },
  },
});
const all: Record<string, Scenario> = { ...SCENARIOS, ...sizeScenarios(Number(values.generations)) };
const unknown = positionals.filter((name) => !(name in all));
if (unknown.length > 0)
  throw new Error(`unknown scenario ${unknown.join(", ")}; the scenarios are ${Object.keys(all).join(", ")}`);
const names = positionals.length > 0 ? positionals : Object.keys(values.size ? all : SCENARIOS);

const say = (text: string) => process.stdout.write(`${text}\n`);
const [cpu] = cpus();
const run = {
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
  machine: `${availableParallelism()} cores (${cpu?.model ?? "unknown"}), Node.js ${process.version}`,
  seconds: Number(values.seconds),
};

const lab = await openLab();
const figures: AllFigures = {};
try {
  say(`${run.machine}\n`);
  for (const name of names) {
    const scenario = all[name];
    if (!scenario) continue;
    const { title, connections, bars } = scenario;
    const contenders = await scenario.contenders(lab);
    const measured = await measure(contenders, {
      connections,
      rounds: Number(values.rounds),
      seconds: run.seconds,
      warmUpSeconds: null,
      databasePids: lab.databasePids,
    });
    figures[name] = { title, connections, bars: [...bars], ...run, measured };
    say(`${scenarioTable(figures[name])}\n`);
    if (values.save) saveFigures(figures);
  }
  say(barsTable(figures));
} finally {
  await lab.stop();
}
