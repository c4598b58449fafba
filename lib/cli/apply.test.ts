import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { FileProvider, FileWorkspace, PolicyFile } from "../features/policy-file/contract";
import { diff } from "../features/policy-file/diff";
import type { Api } from "./api";
import type { Printer } from "./printer";
import type { Planned } from "./state";

vi.mock("./run-tests", { spy: true });
vi.mock("./state", { spy: true });
vi.mock("./steps", { spy: true });
// Other test files in this process may import these modules before and after this one.
vi.resetModules();
afterAll(() => void vi.resetModules());
const [{ apply }, runTests, state, steps] = await Promise.all([
  import("./apply"),
  import("./run-tests"),
  import("./state"),
  import("./steps"),
]);

const FAILED = { workspace: "default", guardrail: "Production", test: "No address leaves", why: "was allowed" };
const provider = (base_url: string): FileProvider => ({ slug: "acme", name: "Acme", base_url });
const policy = (url: string, workspace: Partial<FileWorkspace> = {}): PolicyFile => ({
  version: 1,
  providers: [provider(url)],
  workspaces: [{ slug: "default", name: "Default", ...workspace }],
});
const OLD = policy("https://old.example/v1");
const NEW = policy("https://new.example/v1", { guardrails: [{ name: "Production" }] });
const OBJECTS = { workspaces: [], guardrails: [], presets: [], keys: [], members: [], alerts: [], webhooks: [] };

let applied: string[];
let failing: readonly string[];
beforeEach(() => {
  [applied, failing] = [[], []];
  vi.mocked(steps.applyStep).mockImplementation((_api, { kind, fields }) => {
    if (failing.includes(kind)) return Promise.reject(new Error("refused"));
    applied.push([kind, ...fields.map(({ after }) => JSON.stringify(after))].join(" "));
    return Promise.resolve();
  });
  vi.mocked(runTests.testResults).mockImplementation(async function* () {
    yield await Promise.resolve({ ...FAILED, why: null });
  });
});

/** Applies a policy; `current` is the policy that is exported to undo changes. */
async function run(live: PolicyFile, wanted: PolicyFile, { allowsWeaker = false, current = live } = {}) {
  const planned: Planned = {
    ...diff(live, wanted, { prune: false }),
    live,
    wanted,
    install: new state.Install(live, OBJECTS),
  };
  vi.mocked(state.planFile).mockResolvedValue(planned);
  const [json, failure] = [vi.fn<(value: unknown) => void>(), vi.fn<(text: string) => void>()];
  const printer = { failure, change: vi.fn(), line: vi.fn(), json } as Partial<Printer> as Printer;
  const api = { call: () => Promise.resolve({ data: current, objects: OBJECTS }) } as Partial<Api> as Api;
  const options = { prune: false, runsTests: true, allowsWeaker, environment: {} };
  const code = await apply(api, "policy.yaml", printer, options);
  return { code, json: json.mock.calls[0]?.[0], failure: failure.mock.calls[0]?.[0], planned };
}

describe("apply", () => {
  it("writes nothing, not even a provider's address, if a test of the file fails", async () => {
    vi.mocked(runTests.testResults).mockImplementation(async function* () {
      yield await Promise.resolve(FAILED);
    });
    const { code, json, planned } = await run(OLD, NEW);
    expect([code, applied]).toEqual([1, []]);
    expect(json).toEqual({ done: [], failed: null, failed_tests: [FAILED], not_done: planned.changes });
    expect(vi.mocked(runTests.testResults)).toHaveBeenCalledWith(
      expect.anything(),
      NEW,
      planned.install,
      planned.changes,
    );
  });

  it("applies all changes after the tests have passed, and runs no tests without changes", async () => {
    expect((await run(OLD, NEW)).code).toBe(0);
    expect(applied).toEqual(['provider "https://new.example/v1"', "guardrail"]);
    vi.mocked(runTests.testResults).mockClear();
    expect((await run(OLD, OLD)).code).toBe(0);
    expect(runTests.testResults).not.toHaveBeenCalled();
  });

  it("undoes what was applied before a change that fails, and nothing that others changed", async () => {
    failing = ["guardrail"];
    const other: Partial<FileWorkspace> = { keys: [{ name: "of others", limit: 1 }] };
    const { code, json, failure } = await run(OLD, NEW, { current: policy("https://new.example/v1", other) });
    expect([code, applied]).toEqual([1, ['provider "https://new.example/v1"', 'provider "https://old.example/v1"']]);
    expect(failure).toContain("Nothing was applied: the changes before it were undone.");
    expect(json).toMatchObject({ done: [], failed: { kind: "guardrail", message: "refused" }, not_undone: [] });
  });

  it("names what can't be undone: a provider whose secret isn't known", async () => {
    failing = ["guardrail"];
    const live: PolicyFile = {
      ...OLD,
      providers: [{ ...provider("https://old.example/v1"), api_key: { env: "OLD_KEY" } }],
    };
    const { json, failure } = await run(live, NEW, { current: policy("https://new.example/v1") });
    expect(failure).toContain("except: provider “acme” (needs the environment variable OLD_KEY)");
    expect(json).toMatchObject({ done: [{ kind: "provider" }], not_undone: [{ kind: "provider" }] });
  });

  it("writes nothing that reduces protection unless it is allowed", async () => {
    const guardrails = [{ name: "Production" }];
    const before = policy("https://old.example/v1", { guardrails, default_guardrail: "Production" });
    const after = policy("https://old.example/v1", { guardrails });
    await expect(run(before, after)).rejects.toThrow(
      "these changes reduce protection. Run apply with --allow-weaker to apply them.\n! default guardrail of “default” has less protection: guardrail",
    );
    expect(applied).toEqual([]);
    expect((await run(before, after, { allowsWeaker: true })).code).toBe(0);
    expect(applied).toEqual(["default_guardrail null"]);
  });
});
