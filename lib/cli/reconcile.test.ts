import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Generation } from "../records/generations/contract";
import type { Api } from "./api";
import { Printer } from "./printer";
import { Ledger, reconcile } from "./reconcile";
import { compare, isDifferent, type RecordedUsage } from "./reconcile-policy";
import { comparable, parseUsage, type VendorUsage } from "./usage-file";

const OPENAI_USAGE = `start_time,end_time,start_time_iso,end_time_iso,project_id,num_model_requests,user_id,api_key_id,model,batch,input_tokens,output_tokens,input_cached_tokens
1763596800,1763683200,2025-11-20T00:00:00+00:00,2025-11-21T00:00:00+00:00,proj_1,3.0,,key_1,gpt-4o-2024-08-06,,1000,200,100
1763596800,1763683200,2025-11-20T00:00:00+00:00,2025-11-21T00:00:00+00:00,proj_1,1.0,,key_2,gpt-4o-2024-08-06,,"1,000",50,0
1763683200,1763769600,2025-11-21T00:00:00+00:00,2025-11-22T00:00:00+00:00,,,,,,,,,
`;
const OPENAI_COSTS = `start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id
1763596800,1763683200,2025-11-20T00:00:00+00:00,2025-11-21T00:00:00+00:00,0.005,usd,"gpt-4o-2024-08-06, input",proj_1
1763596800,1763683200,2025-11-20T00:00:00+00:00,2025-11-21T00:00:00+00:00,0.0025,usd,"gpt-4o-2024-08-06, output",proj_1
`;
const ANTHROPIC_USAGE = `\uFEFFusage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count
2025-11-20,claude-haiku-4-5-20251001,key,Default,standard,≤ 200k,100,10,1,1000,50,0
`;
const ANTHROPIC_COSTS = `usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type
2025-11-20,Claude Haiku 4.5,Default,key,message,≤ 200k,input_no_cache,0.05,0.05,token
2025-11-20,Claude Haiku 4.5,Default,key,message,≤ 200k,output,0.02,0.02,token
`;

describe("a vendor's export", () => {
  it.each<[string, string, Partial<VendorUsage>[]]>([
    [
      "OpenAI usage",
      OPENAI_USAGE,
      [
        {
          day: "2025-11-20",
          model: "gpt-4o",
          requests: 4,
          prompt: 2000,
          cached: 100,
          completion: 250,
          cost: null,
          rows: 2,
        },
      ],
    ],
    ["OpenAI costs", OPENAI_COSTS, [{ day: "2025-11-20", model: "gpt-4o", prompt: null, cost: 7500, rows: 2 }]],
    [
      "Anthropic usage",
      ANTHROPIC_USAGE,
      [{ day: "2025-11-20", model: "claude-haiku-4-5", requests: null, prompt: 1111, cached: 1000, completion: 50 }],
    ],
    ["Anthropic costs", ANTHROPIC_COSTS, [{ day: "2025-11-20", model: "claude-haiku-4-5", cost: 70_000, rows: 2 }]],
  ])("of %s is read by day and model", (format, text, usage) => {
    expect(parseUsage("usage.csv", text)).toMatchObject({ format, usage });
  });

  it.each([
    ["a file without rows", "model,cost_usd\n", "usage.csv: the file has no rows"],
    ["unknown columns", "a,b\n1,2\n", "Anthropic costs: usage_date_utc, model, cost_usd"],
    ["a broken line", 'a,b\n"1,2\n', "usage.csv: Quote Not Closed"],
    ["a date", "usage_date_utc,model,cost_usd\nsoon,m,1\n", "usage.csv:2: Not a date: soon"],
    [
      "a number",
      "usage_date_utc,model,cost_usd\n2025-11-20,m,1\n2025-11-20,m,much\n",
      "usage.csv:3: Not a number: much",
    ],
  ])("reports %s", (_name, text, message) => expect(() => parseUsage("usage.csv", text)).toThrow(message));

  it.each([
    ["gpt-4o-2024-08-06", "gpt-4o"],
    ["openai/gpt-4.1-mini", "gpt-4-1-mini"],
    ["Claude Haiku 4.5", "claude-haiku-4-5"],
    ["claude-haiku-4-5-20251001", "claude-haiku-4-5"],
    ["Claude 3.5 Sonnet 2024-10-22", "claude-3-5-sonnet"],
    ["claude-3-5-sonnet-latest", "claude-3-5-sonnet"],
  ])("names %s %s", (model, name) => expect(comparable(model)).toBe(name));
});

const at = { day: "2025-11-20", model: "m" };
const theirs = (given: Partial<VendorUsage> = {}): VendorUsage => ({
  ...at,
  requests: 10,
  prompt: 1000,
  cached: 0,
  completion: 100,
  cost: 50_000,
  rows: 1,
  ...given,
});
const ours = (given: Partial<RecordedUsage> = {}): RecordedUsage => ({
  ...at,
  requests: 10,
  prompt: 1000,
  cached: 0,
  completion: 100,
  cost: 50_000,
  estimated: { requests: 0, cost: 0 },
  unpriced: 0,
  failed: { attempts: 0, cost: 0 },
  ...given,
});

describe("a comparison", () => {
  it.each<[string, VendorUsage[], RecordedUsage[], string[]]>([
    ["equal figures", [theirs()], [ours()], []],
    [
      "figures that the file lacks",
      [theirs({ prompt: null, cached: null, completion: null })],
      [ours({ prompt: 5 })],
      [],
    ],
    ["cents instead of micro-USD", [theirs({ cost: 54_000 })], [ours()], ["rounding"]],
    ["a price", [theirs({ cost: 60_000 })], [ours()], ["price"]],
    ["a price that is unknown", [theirs()], [ours({ cost: 0, unpriced: 10 })], ["unpriced"]],
    ["cached tokens", [theirs({ cached: 500, cost: 30_000 })], [ours()], ["cached"]],
    ["requests sent elsewhere", [theirs({ requests: 12, prompt: 1200, cost: 60_000 })], [ours()], ["requests"]],
    ["requests that aren't billed", [theirs({ requests: 9 })], [ours()], ["requests"]],
    ["tokens", [theirs({ prompt: 1100 })], [ours()], ["tokens"]],
    [
      "estimates",
      [theirs({ completion: 90, cost: 40_000 })],
      [ours({ estimated: { requests: 1, cost: 9000 }, failed: { attempts: 1, cost: 2000 } })],
      ["estimated", "failed"],
    ],
    ["usage that isn't recorded", [theirs()], [], ["missing"]],
    ["usage that isn't in the file", [], [ours()], ["extra"]],
  ])("explains %s", (_name, vendor, recorded, causes) => {
    const [comparison] = compare(vendor, recorded);
    expect(comparison?.causes.map(({ cause }) => cause)).toEqual(causes);
    expect(comparison && isDifferent(comparison)).toBe(causes.some((cause) => cause !== "rounding"));
  });
});

const attempt = (given: object = {}) => ({
  provider: "openai",
  provider_name: "",
  model: "openai/gpt-4o",
  status: 200,
  latency_ms: 1,
  error: null,
  ...given,
});
const generation = (given: object = {}) =>
  ({
    created_at: "2025-11-20T10:00:00.000Z",
    status: "succeeded",
    model: "openai/gpt-4o",
    provider: "openai",
    total_cost: 0.003,
    usage_estimated: false,
    cost_known: true,
    tokens_prompt: 1000,
    tokens_completion: 100,
    native_tokens_cached: 50,
    attempts: [attempt()],
    ...given,
  }) as Generation;

describe("the ledger", () => {
  const ledger = (provider: string | null, ...generations: Generation[]) => {
    const sum = new Ledger(provider, () => "gpt-4o-2024-08-06");
    for (const one of generations) sum.add(one);
    return sum.usage;
  };

  it("adds up answers, and charged failures where they failed", () => {
    const failed = attempt({ provider: "azure", error: "timeout", estimated_cost: 0.001 });
    expect(ledger(null, generation(), generation({ total_cost: 0.004, attempts: [failed, attempt()] }))).toMatchObject([
      {
        model: "gpt-4o",
        requests: 2,
        prompt: 2000,
        cached: 100,
        completion: 200,
        cost: 7000,
        failed: { attempts: 1, cost: 1000 },
      },
    ]);
    expect(ledger("azure", generation({ total_cost: 0.004, attempts: [failed, attempt()] }))).toMatchObject([
      { requests: 0, cost: 1000, failed: { attempts: 1 } },
    ]);
  });

  it("ignores requests that were blocked, and counts estimates", () => {
    expect(ledger(null, generation({ status: "blocked", attempts: [] }))).toEqual([]);
    expect(ledger(null, generation(), generation({ total_cost: 0, cost_known: false }))).toMatchObject([
      { requests: 2, unpriced: 1, cost: 3000 },
    ]);
    expect(ledger(null, generation({ status: "cancelled", usage_estimated: true }))).toMatchObject([
      { requests: 1, estimated: { requests: 1, cost: 3000 } },
    ]);
  });
});

describe("signalbox reconcile", () => {
  async function run(csv: string, generations: readonly object[], isJson = false) {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-usage-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "usage.csv");
    writeFileSync(path, csv);
    let out = "";
    const paths: string[] = [];
    const api = {
      call: async () => ({
        data: [{ slug: "openai/gpt-4o", endpoints: [{ provider: "openai", upstream_model: "gpt-4o" }] }],
      }),
      async *lines(requested: string) {
        paths.push(requested);
        for (const one of generations) yield JSON.stringify(one);
      },
    } as unknown as Api;
    const printer = new Printer(
      { isTerminal: false, out: (text) => void (out += text), err: () => undefined },
      { isJson },
    );
    const code = await reconcile(api, path, printer, { provider: "openai" });
    return { code, out, paths };
  }

  it("prints each difference and returns 2", async () => {
    const { code, out, paths } = await run(OPENAI_COSTS, []);
    expect(code).toBe(2);
    expect(out).toContain("missing: missing in Signalbox");
    expect(out).toContain("OpenAI costs, 2025-11-20 to 2025-11-20: 1 compared, 1 different.");
    expect(paths).toEqual(["/generations/export?from=2025-11-20T00%3A00%3A00.000Z&to=2025-11-21T00%3A00%3A00.000Z"]);
  });

  it("prints one document with --json", async () => {
    const { out } = await run(OPENAI_COSTS, [], true);
    expect(JSON.parse(out)).toMatchObject({ format: "OpenAI costs", different: 1, comparisons: [{ model: "gpt-4o" }] });
  });
});
