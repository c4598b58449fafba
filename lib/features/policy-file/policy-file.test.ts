import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkPolicyFile } from "../../cli/read-file";
import { cases } from "../../testing/random";
import { canonical, stableStringify } from "./canonical";
import {
  PolicyFile,
  type FileAlert,
  type FileGuardrail,
  type FileKey,
  type FileModel,
  type FilePreset,
  type FileProvider,
  type FileWorkspace,
} from "./contract";
import { diff, type Change } from "./diff";
import { toYaml } from "./yaml";

const SLOW = 60_000;

/** Texts that YAML writes in different styles. */
const text = fc.oneof(
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .filter((value) => value.trim() === value && value !== ""),
  fc.constantFrom(
    "yes",
    "null",
    "1e3",
    "0x1f",
    "- a",
    "a: b",
    "#x",
    "'q'",
    '"',
    "{a}",
    "multi\nline",
    "two\n\nlines\n  in",
    "tab\tin",
    "ends with\\",
    "\u0085x",
    "x\u2028y",
    "é",
    "~",
    "2026-01-01",
    "=",
    "%",
    "@a",
    "`",
  ),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const without = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const few = { maxLength: 3 };
const named = <T>(names: readonly string[], of: (name: string) => fc.Arbitrary<T>) =>
  fc.subarray([...names]).chain((chosen) => fc.tuple(...chosen.map(of)));

const provider = (slug: string): fc.Arbitrary<FileProvider> =>
  fc
    .record({
      slug: fc.constant(slug),
      name: text,
      base_url: fc.constantFrom("https://a.example/v1", "https://b.example"),
      zdr: maybe(fc.boolean()),
      api_key: maybe(fc.constant({ env: "A_KEY" })),
      headers: maybe(fc.constant({ "X-B": { env: "B" }, "X-A": { env: "A" } })),
    })
    .map(without);
const model = (slug: string): fc.Arbitrary<FileModel> =>
  fc
    .record({
      slug: fc.constant(slug),
      name: maybe(text),
      context_length: maybe(fc.constantFrom(null, 1000)),
      endpoints: fc.uniqueArray(
        fc.record({
          provider: fc.constantFrom("sandbox", "acme"),
          upstream_model: maybe(fc.constantFrom("m1", "m2")),
          price: fc.constantFrom<FileModel["endpoints"][number]["price"]>(
            { prompt: "2.50", completion: "1" },
            { prompt: "0", completion: "0.1", request: "0" },
            {
              prompt: "1",
              completion: "2",
              cache_read: "0.10",
              tiers: [{ above: 9, prompt: "2.0", completion: "4" }],
              service_tiers: { priority: "2", flex: "0.50" },
            },
          ),
          zdr: maybe(fc.constantFrom(null, true)),
          data_region: maybe(fc.constantFrom("global" as const, "europe" as const)),
        }),
        { minLength: 1, ...few, selector: ({ provider, upstream_model }) => `${provider} ${upstream_model}` },
      ),
    })
    .map(without);
const test = fc.record({
  name: text,
  request: fc.record({ model: text, input: text }),
  expected: fc.record({
    outcome: fc.constantFrom("allowed" as const, "blocked" as const),
    field: maybe(fc.constantFrom(null, "content_filters")),
  }),
});
const guardrail = (name: string): fc.Arbitrary<FileGuardrail[]> =>
  fc
    .array(
      fc.record({
        description: maybe(fc.option(text)),
        allowed_models: maybe(fc.option(fc.uniqueArray(text, few))),
        allowed_data_regions: maybe(fc.constantFrom(null, [], ["europe" as const, "us" as const])),
        limit_usd: maybe(fc.option(fc.constantFrom(0, 0.000001, 1e9, 12.5))),
        reset_interval: maybe(fc.constantFrom(null, "daily" as const)),
        enforce_zdr_other: maybe(fc.option(fc.boolean())),
        include_byok_in_budgets: maybe(fc.boolean()),
        mode: maybe(fc.constantFrom("enforce" as const, "observe" as const)),
        content_filter_builtins: maybe(
          fc.constantFrom(
            null,
            [],
            [{ slug: "email" as const, action: "redact" as const, scan_scope: "all_messages" as const }],
            [{ slug: "email" as const, action: "block" as const, scope: "both" as const }],
          ),
        ),
        content_filters: maybe(
          fc.array(
            fc.record({
              pattern: text,
              action: fc.constantFrom("block" as const, "flag" as const),
              scope: maybe(fc.constantFrom("request" as const, "response" as const, "both" as const)),
              label: maybe(fc.option(text)),
            }),
            few,
          ),
        ),
        tests: maybe(fc.array(test, few)),
      }),
      { minLength: 1, maxLength: 2 },
    )
    .map((list) =>
      list.map((fields, index) => without({ name, ...(index > 0 && { copy: index + 1 }), ...fields }) as FileGuardrail),
    );
const preset = (slug: string): fc.Arbitrary<FilePreset> =>
  fc
    .record({
      name: maybe(text),
      description: maybe(fc.option(text)),
      status: maybe(fc.constantFrom("active" as const, "disabled" as const)),
      contents: fc.array(
        fc.record({
          config: fc.record({ model: maybe(text), temperature: maybe(fc.constantFrom(0, 0.7)) }),
          system_prompt: maybe(text),
          message: maybe(text),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    })
    .map(({ contents, ...fields }) =>
      without({
        slug,
        ...fields,
        versions: contents.map((content, index) => ({
          ...(index === 1 || contents.length === 1 ? { in_use: true as const } : { labels: [`l${index}`] }),
          ...content,
        })),
      }),
    );
const key = (name: string): fc.Arbitrary<FileKey> =>
  fc
    .record({
      name: fc.constant(name),
      guardrail: maybe(fc.constantFrom("G1", { name: "G1", copy: 2 })),
      limit: maybe(fc.constantFrom(null, 5)),
      limit_reset: maybe(fc.constantFrom(null, "monthly" as const)),
    })
    .map(without);
const workspace = (slug: string): fc.Arbitrary<FileWorkspace> =>
  fc
    .record({
      slug: fc.constant(slug),
      name: text,
      description: maybe(fc.option(text)),
      content_logging: fc.boolean(),
      content_retention_days: maybe(fc.constantFrom(null, 30)),
      default_guardrail: maybe(fc.constant("G1")),
      guardrails: named(["G1", "G2", "G3"], guardrail).map((lists) => lists.flat()),
      presets: named(["p1", "p2"], preset),
      keys: named(["k1", "k2"], key),
      members: named(["Ada@example.com", "b@example.com"], (email) =>
        fc.record({ email: fc.constant(email), guardrail: fc.constantFrom("G1", "G2") }),
      ),
    })
    .map(without);
const place = fc.constantFrom({ workspace: "default", name: "k1" }, { workspace: "default", name: "G1", copy: 2 });
const alert = (name: string): fc.Arbitrary<FileAlert[]> =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom("error_rate" as const, "budget" as const),
        threshold: fc.constantFrom(5, 12.5),
        window_minutes: maybe(fc.constantFrom(15, 30)),
        workspace: maybe(fc.constant("default")),
        key: maybe(place),
        member: maybe(fc.constantFrom("Ada@example.com", "b@example.com")),
        guardrail: maybe(place),
        webhooks: maybe(fc.uniqueArray(fc.constantFrom("Pager", { name: "Pager", copy: 2 }, "hooks.example"), few)),
        slack_url: maybe(fc.constant({ env: "SLACK" })),
        emails: maybe(fc.uniqueArray(fc.constantFrom("b@example.com", "a@example.com"), few)),
        enabled: maybe(fc.boolean()),
      }),
      { minLength: 1, maxLength: 2 },
    )
    .map((list) => list.map((fields, index) => without({ name, ...(index > 0 && { copy: index + 1 }), ...fields })));
const files: fc.Arbitrary<PolicyFile> = fc.record({
  version: fc.constant(1 as const),
  providers: named(["acme", "other"], provider),
  models: named(["acme/one", "sandbox/two"], model),
  workspaces: named(["default", "lab"], workspace),
  alerts: named(["Errors", "Budgets"], alert).map((lists) => lists.flat()),
});

const shuffled = (file: PolicyFile): PolicyFile => ({
  ...file,
  providers: file.providers?.toReversed(),
  alerts: file.alerts
    ?.toReversed()
    .map((one) => ({ ...one, webhooks: one.webhooks?.toReversed(), emails: one.emails?.toReversed() })),
  models: file.models?.toReversed().map((one) => ({ ...one, endpoints: one.endpoints.toReversed() })),
  workspaces: file.workspaces?.toReversed().map((one) => ({
    ...one,
    guardrails: one.guardrails?.toReversed(),
    presets: one.presets?.toReversed().map((p) => ({ ...p, versions: p.versions.toReversed() })),
    keys: one.keys?.toReversed(),
    members: one.members?.toReversed(),
  })),
});

describe("the canonical file", () => {
  it(
    "is read back unchanged, and equal policies give equal bytes in any order",
    () => {
      fc.assert(
        fc.property(files, (file) => {
          const yaml = toYaml(file);
          const read = checkPolicyFile("policy.yaml", yaml).file;
          expect(canonical(read)).toEqual(canonical(file));
          expect(toYaml(read)).toBe(yaml);
          expect(toYaml(shuffled(file))).toBe(yaml);
          expect(PolicyFile.parse(parse(yaml))).toEqual(read);
        }),
        { numRuns: cases(100) },
      );
    },
    SLOW,
  );

  it("omits defaults and secrets", () => {
    const file = PolicyFile.parse({
      version: 1,
      providers: [
        {
          slug: "acme",
          name: "Acme",
          base_url: "https://acme.example/v1/",
          protocol: "chat_completions",
          zdr: false,
          api_key: { env: "ACME_API_KEY" },
        },
      ],
      models: [
        {
          slug: "acme/one",
          name: "acme/one",
          vendor: "unknown",
          endpoints: [{ provider: "acme", price: { prompt: "2.50", completion: "10", request: "0" } }],
        },
      ],
    });
    expect(toYaml(file))
      .toBe(`# The policy of a Signalbox organization: node lib/cli/signalbox.mjs plan <file>, then node lib/cli/signalbox.mjs apply <file>.
version: 1
providers:
  - slug: acme
    name: Acme
    base_url: https://acme.example/v1
    api_key:
      env: ACME_API_KEY
models:
  - slug: acme/one
    endpoints:
      - provider: acme
        upstream_model: one
        price:
          prompt: "2.5"
          completion: "10"
`);
  });
});

/** Applies changes to an installation's state. */
function applied(live: PolicyFile, wanted: PolicyFile, changes: readonly Change[]): PolicyFile {
  const state = structuredClone(canonical(live));
  const target = canonical(wanted);
  const swap = <T>(
    list: T[] | undefined,
    from: readonly T[] | undefined,
    isThis: (one: T) => boolean,
    { action }: Change,
  ) => {
    const kept = (list ?? []).filter((one) => !isThis(one));
    const made = action === "delete" ? [] : (from ?? []).filter(isThis);
    return [...kept, ...made];
  };
  for (const change of changes) {
    const { kind, name, copy, workspace } = change;
    const isNamed = (one: { name: string; copy?: number | undefined }) => one.name === name && (one.copy ?? 1) === copy;
    const place = state.workspaces?.find(({ slug }) => slug === (workspace ?? name));
    const from = target.workspaces?.find(({ slug }) => slug === (workspace ?? name));
    if (kind === "provider")
      state.providers = swap(state.providers, target.providers, ({ slug }) => slug === name, change);
    else if (kind === "model") state.models = swap(state.models, target.models, ({ slug }) => slug === name, change);
    else if (kind === "alert") state.alerts = swap(state.alerts, target.alerts, isNamed, change);
    else if (kind === "workspace" && from) {
      const { guardrails = [], presets = [], keys = [], members = [], default_guardrail } = place ?? {};
      const { guardrails: _, presets: __, keys: ___, members: ____, default_guardrail: _____, ...settings } = from;
      state.workspaces = [
        ...(state.workspaces ?? []).filter((one) => one !== place),
        { ...settings, guardrails, presets, keys, members, default_guardrail },
      ];
    } else if (place && from) {
      if (kind === "guardrail") place.guardrails = swap(place.guardrails, from.guardrails, isNamed, change);
      if (kind === "preset") place.presets = swap(place.presets, from.presets, ({ slug }) => slug === name, change);
      if (kind === "key") place.keys = swap(place.keys, from.keys, isNamed, change);
      if (kind === "member") place.members = swap(place.members, from.members, ({ email }) => email === name, change);
      if (kind === "default_guardrail") place.default_guardrail = from.default_guardrail;
    }
  }
  return state;
}

describe("external checks and judges in a file", () => {
  const fileOf = (fields: Partial<FileGuardrail>): PolicyFile =>
    PolicyFile.parse({
      version: 1,
      workspaces: [{ slug: "w", name: "W", content_logging: true, guardrails: [{ name: "G", ...fields }] }],
    });
  const check = { name: "c", url: "https://checks.example/" };
  const judge = { name: "j", model: "a/b", instructions: "No threats", action: "block" as const };
  const secret = { env: "SECRET" };

  it("leave out defaults", () => {
    const given = fileOf({
      external_checks: [{ ...check, format: "signalbox", scope: "request", timeout_ms: 5000, secret }],
      judges: [{ ...judge, threshold: 0.5, scope: "request", timeout_ms: 10_000 }],
    });
    expect(canonical(given)).toEqual(fileOf({ external_checks: [{ ...check, secret }], judges: [judge] }));
  });

  it("compare secrets by presence", () => {
    const fields = (before: PolicyFile, after: PolicyFile) =>
      diff(before, after, { prune: false }).changes.flatMap((change) => change.fields.map(({ field }) => field));
    const stored = fileOf({ external_checks: [{ ...check, secret: { env: "W_G_C_SECRET" } }] });
    expect(fields(stored, fileOf({ external_checks: [{ ...check, secret }] }))).toEqual([]);
    expect(fields(stored, fileOf({ external_checks: [check] }))).toEqual(["external_checks"]);
  });
});

it("a provider's secrets are compared by name, not by the variable", () => {
  const signed = (first: string, second: string): PolicyFile => ({
    version: 1,
    providers: [
      {
        slug: "bedrock",
        name: "Bedrock",
        base_url: "https://bedrock-runtime.eu-central-1.amazonaws.com",
        kind: "bedrock",
        credentials: { access_key_id: { env: first }, secret_access_key: { env: second } },
        headers: { "X-Team": { env: first } },
      },
    ],
  });
  const stored = signed("BEDROCK_ACCESS_KEY_ID", "BEDROCK_SECRET_ACCESS_KEY");
  const oneLess = structuredClone(stored);
  delete oneLess.providers?.[0]?.credentials?.secret_access_key;
  const fieldsOf = (wanted: PolicyFile) =>
    diff(stored, wanted, { prune: false }).changes.flatMap(({ fields }) => fields.map(({ field }) => field));
  expect(fieldsOf(signed("AWS_KEY", "AWS_SECRET"))).toEqual([]);
  expect(fieldsOf(oneLess)).toEqual(["credentials"]);
});

describe("diff", () => {
  it(
    "of equal policies is empty, in any order",
    () => {
      fc.assert(
        fc.property(files, (file) => {
          expect(diff(file, shuffled(file), { prune: true })).toEqual({ changes: [], extra: [] });
        }),
      );
    },
    SLOW,
  );

  it(
    "lists exactly the differences: applying them gives the file",
    () => {
      fc.assert(
        fc.property(files, files, (live, wanted) => {
          const { changes } = diff(live, wanted, { prune: true });
          const left = {
            ...wanted,
            workspaces: [
              ...(wanted.workspaces ?? []),
              ...(live.workspaces ?? []).filter(({ slug }) => !wanted.workspaces?.some((one) => one.slug === slug)),
            ],
          };
          const after = applied(live, wanted, changes);
          expect(stableStringify(canonical(after))).toBe(stableStringify(canonical(left)));
          expect(diff(after, wanted, { prune: true }).changes).toEqual([]);
        }),
        { numRuns: cases(200) },
      );
    },
    SLOW,
  );

  it("lists exactly the drift: each edit is one field of one object", () => {
    const edits: Record<string, (file: PolicyFile) => Omit<Change, "fields" | "copy"> & { field: string | null }> = {
      "a guardrail's list": ({ workspaces: [w] = [] }) => {
        const [guardrail] = w?.guardrails ?? [];
        if (guardrail) guardrail.ignored_models = ["drift/model"];
        return {
          kind: "guardrail",
          workspace: "default",
          name: guardrail?.name ?? "",
          action: "update",
          field: "ignored_models",
        };
      },
      "a deleted guardrail": ({ workspaces: [w] = [] }) => {
        w?.guardrails?.pop();
        return { kind: "guardrail", workspace: "default", name: "Last", action: "create", field: null };
      },
      "an additional guardrail": ({ workspaces: [w] = [] }) => {
        w?.guardrails?.push({ name: "Drift" });
        return { kind: "guardrail", workspace: "default", name: "Drift", action: "delete", field: null };
      },
      "a key's limit": ({ workspaces: [w] = [] }) => {
        const [key] = w?.keys ?? [];
        if (key) key.limit = 123;
        return { kind: "key", workspace: "default", name: "k", action: "update", field: "limit" };
      },
      "a moved label": ({ workspaces: [w] = [] }) => {
        const [first, second] = w?.presets?.[0]?.versions ?? [];
        if (first && second) [first.labels, second.labels] = [second.labels, undefined];
        return { kind: "preset", workspace: "default", name: "p", action: "update", field: "label prod" };
      },
      "a member's guardrail": ({ workspaces: [w] = [] }) => {
        if (w) w.members = [{ email: "ada@example.com", guardrail: "Last" }];
        return { kind: "member", workspace: "default", name: "ada@example.com", action: "update", field: "guardrail" };
      },
      "the default": ({ workspaces: [w] = [] }) => {
        if (w) w.default_guardrail = "Last";
        return {
          kind: "default_guardrail",
          workspace: "default",
          name: "default",
          action: "update",
          field: "guardrail",
        };
      },
      "a provider's address": ({ providers: [p] = [] }) => {
        if (p) p.base_url = "https://drift.example/v1";
        return { kind: "provider", workspace: null, name: "acme", action: "update", field: "base_url" };
      },
      "an alert's threshold": ({ alerts: [a] = [] }) => {
        if (a) a.threshold = 99;
        return { kind: "alert", workspace: null, name: "Errors", action: "update", field: "threshold" };
      },
      "a price": ({ models: [m] = [] }) => {
        const [endpoint] = m?.endpoints ?? [];
        if (endpoint?.price) endpoint.price.prompt = "99";
        return { kind: "model", workspace: null, name: "acme/one", action: "update", field: "endpoints" };
      },
    };
    const base: PolicyFile = {
      version: 1,
      alerts: [{ name: "Errors", kind: "error_rate", threshold: 5 }],
      providers: [{ slug: "acme", name: "Acme", base_url: "https://acme.example/v1" }],
      models: [{ slug: "acme/one", endpoints: [{ provider: "acme", price: { prompt: "1", completion: "1" } }] }],
      workspaces: [
        {
          slug: "default",
          name: "Default",
          content_logging: true,
          default_guardrail: "First",
          guardrails: [{ name: "First" }, { name: "Last" }],
          presets: [
            {
              slug: "p",
              versions: [
                { in_use: true, config: { model: "a" } },
                { labels: ["prod"], config: { model: "b" } },
              ],
            },
          ],
          keys: [{ name: "k", guardrail: "First" }],
          members: [{ email: "ada@example.com", guardrail: "First" }],
        },
      ],
    };
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.keys(edits)), (chosen) => {
        const live = structuredClone(base);
        const inOrder = chosen.toSorted((a, b) => Number(a.includes("additional")) - Number(b.includes("additional")));
        const expected = inOrder.map((name) => edits[name]?.(live));
        const found = diff(live, base, { prune: true }).changes.flatMap(({ fields, copy: _, ...change }): unknown[] =>
          change.action === "update" ? fields.map(({ field }) => ({ ...change, field })) : [{ ...change, field: null }],
        );
        expect(found.map(stableStringify).sort()).toEqual(expected.map(stableStringify).sort());
      }),
    );
  });

  it("creates referenced objects first and deletes them last", () => {
    fc.assert(
      fc.property(files, files, (live, wanted) => {
        const { changes } = diff(live, wanted, { prune: true });
        const place = (kind: string, action: string) =>
          changes.flatMap((change, index) =>
            change.kind === kind && (change.action === "delete") === (action === "delete") ? [index] : [],
          );
        const isBefore = (first: number[], then: number[]) =>
          expect(Math.max(-1, ...first)).toBeLessThan(Math.min(Infinity, ...then));
        isBefore(place("provider", "make"), place("model", "make"));
        isBefore(place("workspace", "make"), place("guardrail", "make"));
        for (const kind of ["key", "member", "default_guardrail"]) {
          isBefore(place("guardrail", "make"), place(kind, "make"));
          isBefore(place(kind, "make"), place("guardrail", "delete"));
        }
        isBefore(place("guardrail", "make"), place("alert", "make"));
        isBefore(place("alert", "delete"), place("guardrail", "delete"));
        isBefore(place("model", "delete"), place("provider", "delete"));
      }),
    );
  });

  it("deletes only with prune, never a workspace, and never objects of kinds that aren't listed", () => {
    const live: PolicyFile = {
      version: 1,
      providers: [{ slug: "acme", name: "A", base_url: "https://a.example" }],
      workspaces: [
        { slug: "lab", name: "L", content_logging: true, guardrails: [{ name: "G" }], keys: [{ name: "k", limit: 1 }] },
      ],
    };
    const wanted = (fields: Partial<FileWorkspace>): PolicyFile => ({
      version: 1,
      workspaces: [{ slug: "lab", name: "L", content_logging: true, ...fields }],
    });
    expect(diff(live, wanted({ guardrails: [] }), { prune: false })).toMatchObject({
      changes: [],
      extra: [{ kind: "guardrail", name: "G" }],
    });
    expect(diff(live, wanted({ guardrails: [] }), { prune: true })).toMatchObject({
      changes: [{ action: "delete", name: "G" }],
      extra: [],
    });
    expect(diff(live, wanted({ keys: [] }), { prune: true }).changes).toMatchObject([
      { action: "update", kind: "key", fields: [{ field: "limit", before: 1, after: null }] },
    ]);
    expect(diff(live, wanted({}), { prune: true })).toEqual({ changes: [], extra: [] });
    expect(diff(live, { version: 1, workspaces: [] }, { prune: true })).toEqual({ changes: [], extra: [] });
  });
});
