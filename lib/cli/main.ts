import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { apply } from "./apply";
import { connect, type Api } from "./api";
import { CliError } from "./cli-error";
import { importFrom } from "./import";
import { plan } from "./plan";
import { Printer, type Output } from "./printer";
import { reconcile } from "./reconcile";
import { runTests } from "./run-tests";
import type { Environment } from "./step";
import packageJson from "../../package.json";

export interface CliEnvironment extends Output {
  environment: Environment;
  now: Date;
}

const USAGE = `signalbox: manage an organization's policy as code, and check its costs

  signalbox plan <file>     show the changes, lint findings, and the impact on recent requests
  signalbox apply <file>    apply the changes
  signalbox test <file>     run the file's policy tests against its guardrails
  signalbox export          export the organization's policy as canonical YAML
  signalbox import litellm <file>  convert a configuration of LiteLLM's proxy to a policy file
  signalbox reconcile <csv> compare a usage or cost export of OpenAI or Anthropic with the log

  --no-tests        apply without running the file's policy tests first (apply)
  --allow-weaker    apply changes that reduce protection (apply)
  --prune           delete objects missing in the file's lists (plan, apply)
  --detect-drift    count objects that exist only on the server as changes (plan)
  --no-impact       skip the replay of recent requests (plan)
  --out <file>      output file (export, import); defaults to standard output
  --provider <slug> compare only with requests to this provider (reconcile)
  --json            print one JSON document instead of text (plan, apply, test, reconcile); errors too
  --version         print the version

  SIGNALBOX_URL       server URL, by default http://127.0.0.1:3000
  SIGNALBOX_API_KEY   a management key

Exit codes: 0 success or no changes · 1 error or failed test · 2 changes found (plan), or differences (reconcile)
`;

const COMMANDS = ["plan", "apply", "test", "export", "import", "reconcile"] as const;

/** Runs a command and returns the exit code. */
export async function main(argv: readonly string[], io: CliEnvironment): Promise<number> {
  try {
    return await run(argv, io);
  } catch (error) {
    const isExpected = error instanceof CliError || (error instanceof TypeError && "code" in error);
    const message = error instanceof Error ? error.message : String(error);
    io.err(`${isExpected || !(error instanceof Error) ? message : (error.stack ?? message)}\n`);
    if (argv.includes("--json"))
      new Printer(io, { isJson: true }).json({ error: { message, ...(error instanceof CliError && error.details) } });
    return 1;
  }
}

async function run(argv: readonly string[], io: CliEnvironment): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      prune: { type: "boolean", default: false },
      "detect-drift": { type: "boolean", default: false },
      "no-impact": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      out: { type: "string" },
      provider: { type: "string" },
      "no-tests": { type: "boolean", default: false },
      "allow-weaker": { type: "boolean", default: false },
      version: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [name, path, ...rest] = positionals;
  if (values.version) {
    io.out(`${packageJson.version}\n`);
    return 0;
  }
  if (values.help || name === undefined) {
    io.out(USAGE);
    return values.help ? 0 : 1;
  }
  const command = COMMANDS.find((known) => known === name);
  if (!command) throw new CliError(`Unknown command: ${name}\n\n${USAGE}`);
  if (command === "export" && path !== undefined)
    throw new CliError("export takes no file; use --out to set the output file");
  if (command !== "export" && path === undefined) throw new CliError(`Missing file: signalbox ${command} <file>`);
  if (command !== "import" && rest.length > 0)
    throw new CliError(`${command} takes one file, not also ${rest.join(" ")}`);
  if (command === "import") return importFrom(path, rest, values.out, io);
  const { environment } = io;
  const api = connect(environment["SIGNALBOX_URL"] ?? "http://127.0.0.1:3000", environment["SIGNALBOX_API_KEY"]);
  const printer = new Printer(io, { isJson: values.json });
  const file = path ?? "";
  switch (command) {
    case "export":
      return exportTo(api, values.out, io);
    case "plan":
      return plan(api, file, printer, {
        prune: values.prune,
        detectsDrift: values["detect-drift"],
        hasImpact: !values["no-impact"],
        environment,
      });
    case "apply":
      return apply(api, file, printer, {
        prune: values.prune,
        runsTests: !values["no-tests"],
        allowsWeaker: values["allow-weaker"],
        environment,
      });
    case "test":
      return runTests(api, file, printer);
    case "reconcile":
      return reconcile(api, file, printer, { provider: values.provider ?? null });
  }
}

async function exportTo(api: Api, path: string | undefined, { out }: Output): Promise<number> {
  const yaml = await api.text("/policy/export?format=yaml");
  if (path === undefined) out(yaml);
  else await writeFile(path, yaml);
  return 0;
}
