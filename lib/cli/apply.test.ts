import { afterAll, expect, it, vi } from "vitest";
import type { Api } from "./api";
import type { Printer } from "./printer";
import type { Planned } from "./state";

vi.mock("./run-tests", { spy: true });
vi.mock("./state", { spy: true });
vi.mock("./steps", { spy: true });
// Other files of this process may have imported these modules before, and may do so afterwards.
vi.resetModules();
afterAll(() => void vi.resetModules());
const [{ apply }, runTests, state, steps] = await Promise.all([
  import("./apply"),
  import("./run-tests"),
  import("./state"),
  import("./steps"),
]);

const FAILED = { workspace: "default", guardrail: "Production", test: "No address leaves", why: "was allowed" };

it.each([
  ["models", ["model"], 1],
  ["guardrails too", ["model", "guardrail"], 1],
  ["nothing", [], 0],
])("runs the file's tests when it changes %s", async (_name, kinds, code) => {
  const changes = kinds.map((kind) => ({ kind, name: kind, workspace: null, action: "create", fields: [] }));
  vi.mocked(state.planFile).mockResolvedValue({ changes, wanted: {}, install: {} } as unknown as Planned);
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
