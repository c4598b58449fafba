import { readFile, writeFile } from "node:fs/promises";
import { parse } from "yaml";
import { toYaml } from "../features/policy-file/yaml";
import { toIssues } from "../platform/http/issues";
import { issueMessage } from "../platform/http/issue-message";
import { CliError } from "./cli-error";
import { fromLitellm } from "./litellm";
import { LitellmConfig } from "./litellm-config";
import type { Output } from "./printer";
import { checkPolicyFile } from "./read-file";
import { count } from "../platform/count";

/** `signalbox import litellm <file>`: writes a policy file, and to standard error what couldn't be carried over. */
export async function importFrom(
  source: string | undefined,
  files: readonly string[],
  out: string | undefined,
  io: Output & { now: Date },
): Promise<number> {
  const [path, ...more] = files;
  if (source !== "litellm" || path === undefined || more.length > 0)
    throw new CliError("Usage: signalbox import litellm <file>");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CliError(`Could not read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  });
  const parsed = LitellmConfig.safeParse(yamlOf(path, text), { error: issueMessage });
  if (!parsed.success)
    throw new CliError(
      parsed.error.issues
        .flatMap((issue) => toIssues(issue))
        .map((issue) => `${path}: ${issue.path.join(".")}: ${issue.message}`)
        .join("\n"),
    );
  const { file, notes } = fromLitellm(parsed.data, io.now);
  const yaml = toYaml(file);
  // What the configuration allows and a policy file doesn't, such as an address that isn't a URL.
  checkPolicyFile(out ?? "policy file", yaml);
  if (out === undefined) io.out(yaml);
  else await writeFile(out, yaml);
  const { providers = [], models = [] } = file;
  io.err(`Carried over: ${count(providers.length, "provider")} and ${count(models.length, "model")}.\n`);
  if (notes.length > 0)
    io.err(`Not carried over, or to be done by hand:\n${notes.map((note) => `- ${note}\n`).join("")}`);
  return 0;
}

function yamlOf(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new CliError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
