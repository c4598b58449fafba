// npm run bench:profile -- answers: where Signalbox's processor time of a request goes, grouped by package and folder.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openLab } from "./lab";
import { measureOnce } from "./measure";
import { PROFILES } from "./scenarios";

interface Frame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}
interface Profile {
  nodes: { id: number; callFrame: Frame }[];
  samples: number[];
  timeDeltas: number[];
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "8" }, least: { type: "string", default: "1" } },
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

/** Path of a frame's source, from the root of the repository. */
function sourceOf({ url, lineNumber, columnNumber }: Frame): string {
  if (!url.startsWith("file:")) return url;
  const path = fileURLToPath(url);
  const entry = mapOf(path)?.findEntry(lineNumber, columnNumber);
  const source = entry && "originalSource" in entry ? entry.originalSource : null;
  if (!source) return relative(ROOT, path);
  return relative(ROOT, source.startsWith("file:") ? fileURLToPath(source) : resolve(path, "..", source));
}

function groupOf(frame: Frame): string {
  const source = sourceOf(frame);
  const [, module] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  if (module) return module;
  if (source.startsWith("node:")) return `Node.js: ${source.slice("node:".length).split("/").slice(0, 2).join("/")}`;
  if (source.startsWith("wasm:")) return "WebAssembly";
  if (source === "") return frame.functionName.startsWith("(") ? frame.functionName : `native: ${frame.functionName}`;
  return source
    .split("/")
    .slice(0, source.startsWith("lib/") ? 3 : 2)
    .join("/");
}

function addTo(totals: Map<string, number>, { nodes, samples, timeDeltas }: Profile): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    if (!frame || IDLE.has(frame.functionName)) continue;
    const group = groupOf(frame);
    totals.set(group, (totals.get(group) ?? 0) + (timeDeltas[index] ?? 0));
  }
}

const folder = mkdtempSync(join(tmpdir(), "signalbox-profile-"));
const file = join(folder, "profile.json");
const lab = await openLab({ NODE_OPTIONS: `--import=${new URL("profiler.mjs", import.meta.url).href}`, PROFILE: file });
let requests = 0;
try {
  const contender = await PROFILES[name](lab);
  const given = { connections: 32, databasePids: lab.databasePids };
  await measureOnce(contender, { ...given, seconds: 2 });
  for (const pid of contender.pids) process.kill(pid, "SIGUSR2");
  ({ requests } = await measureOnce(contender, { ...given, seconds: Number(values.seconds) }));
} finally {
  await lab.stop();
}
const totals = new Map<string, number>();
addTo(totals, JSON.parse(readFileSync(file, "utf8")) as Profile);
rmSync(folder, { recursive: true, force: true });
const all = [...totals.values()].reduce((sum, micros) => sum + micros, 0);
process.stdout.write(`${name}, ${requests} requests\n\n| | µs a request | share |\n|---|---:|---:|\n`);
for (const [group, micros] of [...totals].toSorted(([, a], [, b]) => b - a)) {
  const share = (micros / all) * 100;
  if (share >= Number(values.least))
    process.stdout.write(`| ${group} | ${(micros / requests).toFixed(0)} | ${share.toFixed(0)} % |\n`);
}
