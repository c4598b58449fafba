import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { apply } from "./apply";
import { connect, type Api } from "./api";
import { CliError } from "./cli-error";
import { plan } from "./plan";
import { Printer, type Output } from "./printer";
import { runTests } from "./run-tests";
import type { Environment } from "./step";

export interface CliEnvironment extends Output {
  environment: Environment;
}

const USAGE = `signalbox: the policy of an organization as a file

  signalbox plan <file>     what would change, what the lint says of it, and what it would have done to recent requests
  signalbox apply <file>    makes it so
  signalbox test <file>     runs the policy tests in the file against the guardrails in the file
  signalbox export          writes the policy of the organization as canonical YAML

  --prune           delete what the file's lists don't have (plan, apply)
  --detect-drift    count what only the server has as a change (plan)
  --no-impact       do not replay recent requests (plan)
  --out <file>      where to write (export); standard output when omitted
  --json            one JSON document instead of text (plan, apply, test)

  SIGNALBOX_URL       where the server is, http://127.0.0.1:3000 when unset
  SIGNALBOX_API_KEY   a management key

Exit codes: 0 nothing to do, or done · 1 error, or a test failed · 2 there are changes (plan)
`;

const COMMANDS = ["plan", "apply", "test", "export"] as const;

/** Runs a command line; the exit code. */
export async function main(argv: readonly string[], surroundings: CliEnvironment): Promise<number> {
  try {
    return await run(argv, surroundings);
  } catch (error) {
    const isTold = error instanceof CliError || (error instanceof TypeError && "code" in error);
    surroundings.err(
      isTold ? `${error.message}\n` : `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return 1;
  }
}

async function run(argv: readonly string[], surroundings: CliEnvironment): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      prune: { type: "boolean", default: false },
      "detect-drift": { type: "boolean", default: false },
      "no-impact": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      out: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [name, path, ...rest] = positionals;
  if (values.help || name === undefined) {
    surroundings.out(USAGE);
    return values.help ? 0 : 1;
  }
  const command = COMMANDS.find((known) => known === name);
  if (!command) throw new CliError(`There is no command ${name}.\n\n${USAGE}`);
  if (rest.length > 0 || (command === "export") !== (path === undefined))
    throw new CliError(
      command === "export"
        ? "export takes no file; --out names where to write"
        : `Which file? signalbox ${command} <file>`,
    );
  const { environment } = surroundings;
  const api = connect(environment["SIGNALBOX_URL"] ?? "http://127.0.0.1:3000", environment["SIGNALBOX_API_KEY"]);
  const printer = new Printer(surroundings, values.json);
  const file = path ?? "";
  switch (command) {
    case "export":
      return exportTo(api, values.out, surroundings);
    case "plan":
      return plan(api, file, printer, {
        prune: values.prune,
        detectsDrift: values["detect-drift"],
        hasImpact: !values["no-impact"],
        environment,
      });
    case "apply":
      return apply(api, file, printer, { prune: values.prune, environment });
    case "test":
      return runTests(api, file, printer);
  }
}

async function exportTo(api: Api, path: string | undefined, { out }: Output): Promise<number> {
  const yaml = await api.text("/policy/export?format=yaml");
  if (path === undefined) out(yaml);
  else await writeFile(path, yaml);
  return 0;
}
