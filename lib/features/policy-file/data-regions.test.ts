import { describe, expect, it } from "vitest";
import type { DataRegion } from "../../engine/vocabulary";
import { canonical } from "./canonical";
import { PolicyFile } from "./contract";
import { diff } from "./diff";

describe("data regions in a file", () => {
  const price = { prompt: "1", completion: "1" };
  const fileOf = (data_region?: DataRegion, allowed_data_regions?: DataRegion[]): PolicyFile => ({
    version: 1,
    models: [{ slug: "acme/one", endpoints: [{ provider: "acme", price, data_region }] }],
    workspaces: [{ slug: "w", name: "W", content_logging: true, guardrails: [{ name: "G", allowed_data_regions }] }],
  });
  const fields = (before: PolicyFile, after: PolicyFile) =>
    diff(before, after, { prune: false }).changes.flatMap((change) => change.fields.map(({ field }) => field));

  it("of an endpoint are global if left out", () => {
    expect(canonical(fileOf("global"))).toEqual(canonical(fileOf()));
    expect(fields(fileOf(), fileOf("europe"))).toEqual(["endpoints"]);
  });

  it("of a guardrail are compared", () => {
    expect(fields(fileOf("us"), fileOf("us", ["us"]))).toEqual(["allowed_data_regions"]);
  });

  it("must be known ones", () => {
    const given = fileOf("eu" as DataRegion, ["EUROPE" as DataRegion]);
    expect(PolicyFile.safeParse(given).error?.issues.map(({ path }) => path.join("."))).toEqual([
      "models.0.endpoints.0.data_region",
      "workspaces.0.guardrails.0.allowed_data_regions.0",
    ]);
  });
});
