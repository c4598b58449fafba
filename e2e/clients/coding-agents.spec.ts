import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test, UPSTREAMS } from "./strict-provider";

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const PROMPT = "Run the echo command, then say hello.";

/** Creates a separate home and project folder for the agent. */
function folders() {
  const root = mkdtempSync(join(tmpdir(), "signalbox-clients-"));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const folder of [home, project]) mkdirSync(folder);
  return { home, project, remove: () => rmSync(root, { recursive: true, force: true }) };
}

const { PATH = "" } = process.env;

/** Runs a program without this process's environment; its input ends at once. */
async function output(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const running = run(file, args, { cwd, env: { PATH, ...env }, timeout: 120_000, maxBuffer: 1e8 });
  running.child.stdin?.end();
  return running.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

for (const upstream of UPSTREAMS)
  test(`a turn of Codex at a ${upstream} upstream`, async ({ scene: { baseURL, apiKey, modelAt, refused } }) => {
    const { home, project, remove } = folders();
    const settings = {
      model: await modelAt(upstream),
      model_provider: "signalbox",
      "model_providers.signalbox.name": "Signalbox",
      "model_providers.signalbox.base_url": baseURL,
      "model_providers.signalbox.env_key": "SIGNALBOX_KEY",
      "model_providers.signalbox.wire_api": "responses",
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${JSON.stringify(value)}`]);
    const codex = join(dirname(resolve("@openai/codex/package.json")), "bin/codex.js");
    const said = await output(
      process.execPath,
      [codex, "exec", "--skip-git-repo-check", "--json", "--sandbox", "danger-full-access", ...options, PROMPT],
      project,
      { HOME: home, SIGNALBOX_KEY: apiKey },
    );
    expect(refused).toEqual([]);
    expect(said).toMatch(/"aggregated_output":"[^"]*signalbox-ran-this\\n"/);
    expect(said).toContain("Hello big world");
    expect(said).toContain('"type":"turn.completed"');
    remove();
  });

for (const upstream of UPSTREAMS)
  test(`a turn of opencode at a ${upstream} upstream`, async ({ scene: { baseURL, apiKey, modelAt, refused } }) => {
    test.skip(`${process.platform}-${process.arch}` !== "linux-x64", "opencode is installed for Linux on x64 only");
    const { home, project, remove } = folders();
    const model = await modelAt(upstream);
    const provider = {
      npm: "@ai-sdk/openai-compatible",
      name: "Signalbox",
      options: { baseURL, apiKey },
      models: { [model]: { name: "Strict" } },
    };
    const config = {
      model: `signalbox/${model}`,
      small_model: `signalbox/${model}`,
      autoupdate: false,
      share: "disabled",
      permission: { bash: "allow", edit: "deny", webfetch: "deny" },
      provider: { signalbox: provider },
    };
    writeFileSync(join(project, "opencode.json"), JSON.stringify(config));
    const opencode = join(dirname(resolve("opencode-linux-x64/package.json")), "bin/opencode");
    const said = await output(opencode, ["run", "--format", "json", PROMPT], project, {
      HOME: home,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    });
    expect(refused).toEqual([]);
    expect(said).toContain("signalbox-ran-this\\n");
    expect(said).toContain("Hello big world");
    remove();
  });
