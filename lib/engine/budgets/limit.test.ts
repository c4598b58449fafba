import { describe, expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { limitOf, subjectsOf } from "../../testing/limits";
import { budgetOf, chargeOf, settledAmount } from "./budget";
import type { Limit, RequestSize } from "./budget-rule";
import { indexLimits, limitRules, type LimitSubjects } from "./limit";

const named = (id: string, given: Parameters<typeof limitOf>[0]) => limitOf({ id, ...given });
const rulesOf = (limits: readonly Limit[], who: Partial<LimitSubjects> = {}) =>
  limitRules(indexLimits(limits), subjectsOf(who));
const brief = (limits: readonly Limit[], who: Partial<LimitSubjects> = {}) =>
  rulesOf(limits, who).map(({ sourceId, subject, subjectId }) => `${sourceId} ${subject} ${subjectId}`.trim());

const large = endpointOf({ model: { slug: "acme/large" }, provider: { slug: "acme" } });
const small = endpointOf({ model: { slug: "acme/small" }, provider: { slug: "other" } });

describe("limits of a request", () => {
  it.each<[string, Limit[], Partial<LimitSubjects>, string[]]>([
    ["none", [], {}, []],
    ["of the organization", [named("l", {})], {}, ["l organization"]],
    ["of its workspace", [named("l", { subject: "workspace", subjectIds: ["w1"] })], {}, ["l workspace w1"]],
    ["not of another workspace", [named("l", { subject: "workspace", subjectIds: ["w2"] })], {}, []],
    ["of each workspace", [named("l", { subject: "workspace" })], {}, ["l workspace w1"]],
    [
      "of tags",
      [named("l", { subject: "tag", subjectIds: ["a", "c"] })],
      { tags: ["a", "b", "c"] },
      ["l tag a", "l tag c"],
    ],
    ["of each tag", [named("l", { subject: "tag" })], { tags: ["a", "a", "b"] }, ["l tag a", "l tag b"]],
    ["of its member", [named("l", { subject: "member", subjectIds: ["ann"] })], {}, ["l member ann"]],
    ["not of a member, for a key without one", [named("l", { subject: "member" })], { userId: null }, []],
    ["of its key", [named("l", { subject: "key", subjectIds: ["k1", "k2"] })], {}, ["l key k1"]],
    ["shared by keys", [named("l", { subject: "keys", subjectIds: ["k1", "k2"] })], {}, ["l keys"]],
    ["not shared by other keys", [named("l", { subject: "keys", subjectIds: ["k2"] })], {}, []],
    ["of each end user", [named("l", { subject: "end_user" })], { endUser: "eve" }, ["l end_user eve"]],
    ["not of an end user, if it names none", [named("l", { subject: "end_user" })], {}, []],
    [
      "of the models that may serve it",
      [named("l", { subject: "model" })],
      { endpoints: [large, small] },
      ["l model acme/large", "l model acme/small"],
    ],
    [
      "of a provider that may serve it",
      [named("l", { subject: "provider", subjectIds: ["other"] })],
      { endpoints: [large, small] },
      ["l provider other"],
    ],
    ["of requests of its workspace", [named("l", { workspaceId: "w1" })], {}, ["l organization"]],
    ["not of requests of another one", [named("l", { workspaceId: "w2" })], {}, []],
    [
      "of a subject that is named instead of the default for all",
      [
        named("all", { subject: "end_user" }),
        named("vip", { subject: "end_user", subjectIds: ["eve"] }),
        named("rate", { subject: "end_user", metric: "requests", interval: "minutely" }),
      ],
      { endUser: "eve" },
      ["vip end_user eve", "rate end_user eve"],
    ],
    [
      "of another period besides the default for all",
      [
        named("all", { subject: "end_user", interval: "monthly" }),
        named("vip", { subject: "end_user", subjectIds: ["eve"] }),
      ],
      { endUser: "eve" },
      ["vip end_user eve", "all end_user eve"],
    ],
    [
      "of a default that a limit for another workspace doesn't replace",
      [
        named("all", { subject: "end_user" }),
        named("vip", { subject: "end_user", subjectIds: ["eve"], workspaceId: "w2" }),
      ],
      { endUser: "eve" },
      ["all end_user eve"],
    ],
    [
      "of spend only, for a judge",
      [named("spend", {}), named("rate", { metric: "requests", interval: "minutely" })],
      { isOfJudge: true },
      ["spend organization"],
    ],
  ])("%s", (_, limits, who, expected) => {
    expect(brief(limits, who)).toEqual(expected);
  });

  it("are the same rules for the same subject, so that their budgets are cached", () => {
    const index = indexLimits([limitOf({ subject: "end_user" })]);
    const [first] = limitRules(index, subjectsOf({ endUser: "eve" }));
    expect(limitRules(index, subjectsOf({ endUser: "eve" }))[0]).toBe(first);
  });
});

const SIZE: RequestSize = {
  prompt: { expected: 100, most: 100 },
  images: 0,
  isTextOnly: true,
  modalities: { prompt: [], completion: [] },
  serviceTier: null,
  maxOutputTokens: 50,
  isLimitIgnorable: false,
  inputs: 1,
  webSearches: 0,
  choices: 1,
  predictedTokens: 0,
  ratios: new Map(),
} as unknown as RequestSize;

describe("a limit's amount", () => {
  const ruleOf = (
    given: Parameters<typeof limitOf>[0],
    who: Partial<LimitSubjects> = { endpoints: [large, small] },
  ) => {
    const [rule] = rulesOf([limitOf(given)], who);
    if (!rule) throw new Error("no rule");
    return rule;
  };
  const attempts = [
    { endpoint: large, costMicroUsd: 7n, tokens: 40 },
    { endpoint: small, costMicroUsd: 2n, tokens: 30 },
  ];
  const settled = (given: Parameters<typeof limitOf>[0]) =>
    settledAmount(ruleOf(given), { costMicroUsd: 9n, endpoint: small, attempts });

  it("is reserved as the most that a candidate may use", () => {
    expect(chargeOf(ruleOf({ metric: "requests", interval: "minutely" }), [large, small], SIZE)).toBe(1n);
    expect(chargeOf(ruleOf({ metric: "concurrent_requests", interval: null }), [large], SIZE)).toBe(1n);
    expect(chargeOf(ruleOf({ metric: "tokens", interval: "minutely" }), [large], SIZE)).toBe(150n);
    const ofModel = ruleOf({ metric: "requests", interval: "minutely", subject: "model", subjectIds: ["acme/large"] });
    expect([chargeOf(ofModel, [large], SIZE), chargeOf(ofModel, [small], SIZE)]).toEqual([1n, 0n]);
  });

  it("is settled by what each attempt used", () => {
    expect(settled({})).toBe(9n);
    expect(settled({ subject: "provider", subjectIds: ["acme"] })).toBe(7n);
    expect(settled({ subject: "model", subjectIds: ["acme/small"] })).toBe(2n);
    expect(settled({ metric: "tokens", interval: "minutely" })).toBe(70n);
    expect(settled({ metric: "requests", interval: "minutely" })).toBe(1n);
    expect(settled({ metric: "concurrent_requests", interval: null })).toBe(0n);
    const unsent = { costMicroUsd: 0n, endpoint: null, attempts: [] };
    expect(settledAmount(ruleOf({ metric: "requests", interval: "minutely" }), unsent)).toBe(0n);
  });

  it("has a budget for each window of its time zone", () => {
    const cycle = { interval: "daily", timeZone: "Europe/Berlin", hour: 0, weekday: 1, monthDay: 1 } as const;
    const rule = ruleOf({ cycle });
    const [before, after] = [new Date("2026-11-20T22:59:59Z"), new Date("2026-11-20T23:00:00Z")].map((at) =>
      budgetOf(rule, at),
    );
    expect(before?.resetsAt).toEqual(after?.windowStart);
    expect(before?.id).not.toBe(after?.id);
  });

  it("takes over what is left of a whole window of the limit, and of no other", () => {
    const carriesSince = new Date("2026-11-19T12:00:00Z");
    const rule = ruleOf({ carriesSince });
    const [first, second, third] = ["2026-11-19T13:00:00Z", "2026-11-20T13:00:00Z", "2026-11-21T13:00:00Z"].map((at) =>
      budgetOf(rule, new Date(at)),
    );
    expect([first?.carriesFrom, second?.carriesFrom]).toEqual([undefined, undefined]);
    expect(third?.carriesFrom).toBe(second?.id);
  });
});
