// npm run bench:profile -- answers: where Signalbox's processor time of a request goes, by stages of a request, and with
// `--by function` or `--by file` by where a sample was taken.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap, type SourceMapping } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { openLab } from "./lab";
import { measureOnce, warmUp, type Round } from "./measure";
import { PROFILES } from "./scenarios";
import { stageOf } from "./stages";

interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}
interface Profile {
  nodes: { id: number; callFrame: Frame; children?: number[] }[];
  samples: number[];
  timeDeltas: number[];
}

const { positionals, values } = scriptArguments("npm run bench:profile -- [scenario]", {
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "8" },
    connections: { type: "string", default: "32" },
    least: { type: "string", default: "1" },
    by: { type: "string", default: "stage" },
    // Groups a profile that was kept instead of measuring, or keeps the new one.
    keep: { type: "string" },
  },
});
const name = (positionals[0] ?? "answers") as keyof typeof PROFILES;
const ROOT = fileURLToPath(new URL("../", import.meta.url));
const IDLE = new Set(["(idle)", "(root)"]);

const maps = new Map<string, SourceMap | null>();
function mapOf(path: string): SourceMap | null {
  const known = maps.get(path);
  if (known !== undefined) return known;
  const file = `${path}.map`;
  const read = existsSync(file)
    ? new SourceMap(JSON.parse(readFileSync(file, "utf8")) as ConstructorParameters<typeof SourceMap>[0])
    : null;
  maps.set(path, read);
  return read;
}

function originalOf({ url, lineNumber, columnNumber }: Frame): SourceMapping | null {
  const entry = url.startsWith("file:") ? mapOf(fileURLToPath(url))?.findEntry(lineNumber, columnNumber) : undefined;
  return entry && "originalSource" in entry ? (entry as SourceMapping) : null;
}

const lineOf = (frame: Frame): number => (originalOf(frame)?.originalLine ?? frame.lineNumber) + 1;

/** Path of a frame's source, from the root of the repository. */
function sourceOf(frame: Frame): string {
  const { url } = frame;
  if (!url.startsWith("file:")) return url;
  const path = fileURLToPath(url);
  const source = originalOf(frame)?.originalSource;
  if (!source) return relative(ROOT, path);
  return relative(ROOT, source.startsWith("file:") ? fileURLToPath(source) : resolve(path, "..", source));
}

/** Path of a frame's source within its package, or from the root of the repository. */
const fileOf = (frame: Frame): string => sourceOf(frame).replace(/^.*node_modules\//, "") || "native";

/** Groups of a stack, from its innermost frame outwards. */
const GROUPS: Readonly<Record<string, (stack: readonly Frame[]) => string>> = {
  stage: (stack) => stageOf(stack.map((frame) => ({ source: sourceOf(frame), name: frame.functionName }))),
  file: ([frame]) => (frame ? fileOf(frame) : ""),
  function: ([frame]) => (frame ? `${frame.functionName || "(anonymous)"} ${fileOf(frame)}:${lineOf(frame)}` : ""),
};

function addTo(totals: Map<string, number>, { nodes, samples, timeDeltas }: Profile): void {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const groups = new Map<number, string | null>();
  const groupOf = (id: number): string | null => {
    const stack: Frame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const node = byId.get(at);
      if (node) stack.push(node.callFrame);
    }
    return IDLE.has(stack[0]?.functionName ?? "") ? null : (GROUPS[values.by]?.(stack) ?? null);
  };
  for (const [index, id] of samples.entries()) {
    let group = groups.get(id);
    if (group === undefined) groups.set(id, (group = groupOf(id)));
    if (group !== null) totals.set(group, (totals.get(group) ?? 0) + (timeDeltas[index] ?? 0));
  }
}

interface Measured {
  profile: Profile;
  requests: number;
  /** Processor time of a request in the whole process; null on systems without /proc. */
  cpuMicros: number | null;
}

async function measured(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-profile-"));
  const file = join(folder, "profile.json");
  const options = `--import=${new URL("profiler.mjs", import.meta.url).href}`;
  const lab = await openLab({ NODE_OPTIONS: options, PROFILE: file });
  let round: Pick<Round, "requests" | "cpuMicros">;
  try {
    const contender = await PROFILES[name](lab);
    const given = { connections: Number(values.connections), databasePids: lab.databasePids };
    await warmUp(contender, given);
    for (const pid of contender.pids) process.kill(pid, "SIGUSR2");
    round = await measureOnce(contender, { ...given, seconds: Number(values.seconds) });
  } finally {
    await lab.stop();
  }
  const { requests, cpuMicros } = round;
  const profile = JSON.parse(readFileSync(file, "utf8")) as Profile;
  rmSync(folder, { recursive: true, force: true });
  return { profile, requests, cpuMicros };
}

const { keep } = values;
const known = keep !== undefined && existsSync(keep) ? (JSON.parse(readFileSync(keep, "utf8")) as Measured) : null;
const { profile, requests, cpuMicros } = known ?? (await measured());
if (keep !== undefined && !known) writeFileSync(keep, JSON.stringify({ profile, requests, cpuMicros }));
const totals = new Map<string, number>();
addTo(totals, profile);
const all = [...totals.values()].reduce((sum, micros) => sum + micros, 0);
// Samples count the time in which other processes had the processor, too; their shares don't depend on it.
const each = cpuMicros ?? all / requests;
process.stdout.write(
  `${name}, ${requests} requests, ${each.toFixed(0)} µs each\n\n| | µs a request | share |\n|---|---:|---:|\n`,
);
for (const [group, micros] of [...totals].toSorted(([, a], [, b]) => b - a)) {
  const share = micros / all;
  if (share * 100 >= Number(values.least))
    process.stdout.write(`| ${group} | ${(share * each).toFixed(1)} | ${(share * 100).toFixed(1)} % |\n`);
}
