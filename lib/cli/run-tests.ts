import type { FileGuardrail, FileTest, PolicyFile } from "../features/policy-file/contract";
import { providerDefaults } from "../features/policy-file/canonical";
import { exportPolicy } from "../features/policy-file/contract";
import { checkPolicy, type PlannedState } from "../features/policy-check/contract";
import { diff, type Change } from "../features/policy-file/diff";
import { failureReason } from "../features/policy-tests/expectation";
import { Refused, type Api } from "./api";
import { guardrailBody } from "./bodies";
import type { Printer } from "./printer";
import { readPolicyFile } from "./read-file";
import { Install } from "./state";

export interface TestResult {
  workspace: string;
  guardrail: string;
  test: string;
  /** Null when passed. */
  why: string | null;
}

/** Runs a file's tests against their guardrails in the file alone; exit code 1 when one fails. */
export async function runTests(api: Api, path: string, printer: Printer): Promise<number> {
  const { file } = await readPolicyFile(path);
  const { data: live, objects } = await api.call(exportPolicy);
  const { changes } = diff(live, file, { prune: false });
  const results: TestResult[] = [];
  for await (const result of testResults(api, file, new Install(live, objects), changes)) {
    results.push(result);
    printer.line(describeResult(result), result.why === null ? "green" : "red");
  }
  const failed = results.filter(({ why }) => why !== null).length;
  printer.line(
    results.length === 0 ? "The file contains no tests." : `${results.length - failed} passed, ${failed} failed.`,
    "bold",
  );
  printer.json({ passed: results.length - failed, failed, results });
  return failed > 0 ? 1 : 0;
}

/** Runs a file's tests in turn, against the policy that the file's changes would produce. */
export async function* testResults(
  api: Api,
  file: PolicyFile,
  install: Install,
  changes: readonly Change[],
): AsyncGenerator<TestResult, void> {
  const catalogue = plannedCatalogue(file, changes);
  for (const { workspace, guardrail, test } of testsOf(file)) {
    const regions = file.workspaces?.find(({ slug }) => slug === workspace)?.regions ?? [];
    const why = await judge(api, guardrail, test, { ...catalogue, regions }, install.findWorkspace(workspace));
    yield { workspace, guardrail: guardrail.name, test: test.name, why };
  }
}

/** Returns the providers and models that the file creates or changes. */
function plannedCatalogue({ providers = [], models = [] }: PolicyFile, changes: readonly Change[]) {
  const isChanged = (kind: Change["kind"], slug: string) =>
    changes.some((change) => change.kind === kind && change.name === slug);
  return {
    providers: providers
      .filter(({ slug }) => isChanged("provider", slug))
      .map((provider) => {
        const { protocol, zdr, trains, ownership } = { ...providerDefaults(provider), ...provider };
        return { slug: provider.slug, protocol, zdr, trains, ownership };
      }),
    models: models.filter(({ slug }) => isChanged("model", slug)),
  };
}

export const describeResult = ({ guardrail, test, why }: TestResult): string =>
  `${why === null ? "✓" : "✗"} ${guardrail}: ${test}${why === null ? "" : `: ${why}`}`;

const testsOf = ({ workspaces = [] }: PolicyFile) =>
  workspaces.flatMap(({ slug, guardrails = [] }) =>
    guardrails.flatMap((guardrail) => (guardrail.tests ?? []).map((test) => ({ workspace: slug, guardrail, test }))),
  );

async function judge(
  api: Api,
  guardrail: FileGuardrail,
  { request, protocol, check_verdicts, answer, expected }: FileTest,
  planned: PlannedState,
  workspace_id: string | undefined,
): Promise<string | null> {
  try {
    const body = {
      request,
      protocol,
      guardrails: [guardrailBody(guardrail)],
      check_verdicts: check_verdicts ?? {},
      drafts_only: true,
      planned,
      answer: answer ?? undefined,
      ...(workspace_id && { workspace_id }),
    };
    const { data } = await api.call(checkPolicy, { body });
    return failureReason(
      { outcome: expected.outcome, field: expected.field ?? null, rule: expected.rule ?? null },
      data,
    );
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
