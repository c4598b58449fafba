import { describe, expect, it } from "vitest";
import { CreateLimitBody, UpdateLimitBody } from "./contract";

const BODY = { name: "Team", subject_type: "organization", metric: "spend", amount: 5 };
const pathsOf = (body: object) =>
  (CreateLimitBody.safeParse({ ...BODY, ...body }).error?.issues ?? []).map(({ path }) => path.join("."));

describe("a limit", () => {
  it.each<[string, object]>([
    ["of the organization", {}],
    ["of shared keys", { subject_type: "keys", subject_ids: ["a"] }],
    [
      "of each end user in a workspace",
      { subject_type: "end_user", workspace_id: "019aa000-0000-7000-8000-000000000000" },
    ],
    ["of requests", { metric: "requests", reset_interval: "minutely" }],
    ["of tokens of a month", { metric: "tokens", reset_interval: "monthly" }],
    ["of concurrent requests", { metric: "concurrent_requests" }],
    ["that carries over", { reset_interval: "weekly", carry_over: true }],
    [
      "in another time zone",
      { reset_interval: "daily", time_zone: "America/Argentina/Buenos_Aires", starts: { hour: 23 } },
    ],
    ["in a zone with another name", { time_zone: "Asia/Kolkata" }],
  ])("%s is valid", (_, body) => {
    expect(pathsOf(body)).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ["ids of the organization", { subject_ids: ["a"] }, ["subject_ids"]],
    ["shared keys without ids", { subject_type: "keys" }, ["subject_ids"]],
    ["no ids", { subject_type: "key", subject_ids: [] }, ["subject_ids"]],
    ["an id twice", { subject_type: "key", subject_ids: ["a", "a"] }, ["subject_ids"]],
    ["the organization in a workspace", { workspace_id: "019aa000-0000-7000-8000-000000000000" }, ["workspace_id"]],
    ["spend of a minute", { reset_interval: "minutely" }, ["reset_interval"]],
    ["requests that never reset", { metric: "requests" }, ["reset_interval"]],
    ["concurrent requests that reset", { metric: "concurrent_requests", reset_interval: "daily" }, ["reset_interval"]],
    ["a part of a request", { metric: "requests", reset_interval: "daily", amount: 1.5 }, ["amount"]],
    ["less than nothing", { amount: -1 }, ["amount"]],
    ["a rate that carries over", { metric: "requests", reset_interval: "daily", carry_over: true }, ["carry_over"]],
    ["spend that never resets, carried over", { carry_over: true }, ["carry_over"]],
    ["an unknown time zone", { time_zone: "Europe/Atlantis" }, ["time_zone"]],
    ["an offset", { time_zone: "+01:00" }, ["time_zone"]],
    ["the 32nd", { starts: { month_day: 32 } }, ["starts.month_day"]],
    [
      "several problems at once",
      { metric: "requests", amount: 0.5, carry_over: true },
      ["reset_interval", "amount", "carry_over"],
    ],
  ])("rejects %s", (_, body, paths) => {
    expect(pathsOf(body)).toEqual(paths);
  });

  it("keeps what it counts, and for whom", () => {
    for (const change of [{ metric: "tokens" }, { subject_type: "key" }, { workspace_id: null }])
      expect(UpdateLimitBody.safeParse(change).success).toBe(false);
    expect(UpdateLimitBody.safeParse({ subject_ids: null, enabled: false }).success).toBe(true);
  });
});
