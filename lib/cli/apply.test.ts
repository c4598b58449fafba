import { expect, it, vi } from "vitest";
import type { Api } from "./api";
import { apply } from "./apply";
import type { Printer } from "./printer";
import * as runTests from "./run-tests";
import * as state from "./state";
import * as steps from "./steps";

vi.mock("./run-tests", { spy: true });
vi.mock("./state", { spy: true });
vi.mock("./steps", { spy: true });

const FAILED = { workspace: "default", guardrail: "Production", test: "No address leaves", why: "was allowed" };

it.each([
  ["models", ["model"], 1],
  ["guardrails too", ["model", "guardrail"], 1],
  ["nothing", [], 0],
])("runs the file's tests when it changes %s", async (_name, kinds, code) => {
  const changes = kinds.map((kind) => ({ kind, name: kind, workspace: null, action: "create", fields: [] }));
  vi.mocked(state.planFile).mockResolvedValue({ changes, wanted: {}, install: {} } as unknown as state.Planned);
  vi.mocked(runTests.testResults).mockImplementation(async function* () {
    yield await Promise.resolve(FAILED);
  });
  vi.mocked(steps.applyStep).mockResolvedValue(undefined);
  const json = vi.fn();
  const printer = { failure: vi.fn(), change: vi.fn(), line: vi.fn(), json } as unknown as Printer;
  const options = { prune: false, runsTests: true, environment: {} };
  expect(await apply({} as Api, "policy.yaml", printer, options)).toBe(code);
  if (code === 1)
    expect(json).toHaveBeenCalledExactlyOnceWith({
      done: [changes[0]],
      failed: null,
      failed_tests: [FAILED],
      not_done: changes.slice(1),
    });
});
