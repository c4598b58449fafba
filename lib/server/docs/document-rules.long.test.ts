import { lintFromString, loadConfig } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { document } from "./service";

it("the OpenAPI document passes the rules of redocly.yaml", async () => {
  const config = await loadConfig({ configPath: "redocly.yaml" });
  const problems = await lintFromString({
    source: JSON.stringify(await document()),
    absoluteRef: "openapi.json",
    config,
  });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
});
