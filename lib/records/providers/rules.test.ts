import { describe, expect, it } from "vitest";
import { builtInRefusals, movedSecrets, providerIssues, trimmedUrl, withoutSecrets } from "./rules";

describe("providerIssues", () => {
  it.each([
    "http://127.0.0.1:8080/v1",
    "https://2130706433/v1",
    "https://[::1]/v1",
    "https://10.0.0.1/v1",
    "https://localhost/v1",
  ])("rejects %s where private upstreams are off", (base_url) => {
    expect(providerIssues({ base_url }, false)).toEqual([
      { path: ["base_url"], message: expect.any(String), code: "address_not_allowed" },
    ]);
    expect(providerIssues({ base_url }, true)).toEqual([]);
  });

  it("leaves invalid URLs to the schema", () => {
    for (const base_url of [undefined, null, 5, "nonsense"]) expect(providerIssues({ base_url }, false)).toEqual([]);
  });
});

describe("movedSecrets", () => {
  const stored = {
    base_url: "https://a.example/v1",
    has_api_key: true,
    credential_names: ["access_key_id"],
    header_names: ["x-key"],
  };
  it.each([
    ["another name", { name: "B" }, []],
    ["another path", { base_url: "https://a.example/v2" }, []],
    ["another host", { base_url: "https://b.example/v1" }, ["api_key", "credentials", "headers"]],
    ["another port", { base_url: "https://a.example:444/v1" }, ["api_key", "credentials", "headers"]],
    ["another scheme", { base_url: "http://a.example/v1" }, ["api_key", "credentials", "headers"]],
    [
      "another host with new secrets",
      {
        base_url: "https://b.example/v1",
        api_key: "b",
        credentials: { access_key_id: "b" },
        headers: { "x-key": "b" },
      },
      [],
    ],
    [
      "another host, secrets cleared",
      { base_url: "https://b.example/v1", api_key: null, credentials: null, headers: null },
      [],
    ],
  ])("%s", (_, changes, fields) => expect(movedSecrets(stored, changes).map(({ path }) => path[0])).toEqual(fields));

  it("keeps nothing back when nothing is stored", () => {
    expect(
      movedSecrets(
        { ...stored, has_api_key: false, credential_names: [], header_names: [] },
        { base_url: "https://b.example/v1" },
      ),
    ).toEqual([]);
  });
});

it("a base URL is stored without a trailing slash", () => {
  expect(["https://a.example/v1//", "https://a.example/", "https://a.example/v1"].map(trimmedUrl)).toEqual([
    "https://a.example/v1",
    "https://a.example",
    "https://a.example/v1",
  ]);
});

it("the built-in provider has no URL, key or headers to change", () => {
  expect(builtInRefusals({ name: "S", zdr: true, trains: false })).toEqual([]);
  expect(builtInRefusals({ base_url: "https://a.example", api_key: null, protocol: "responses" })).toEqual([
    "base_url",
    "protocol",
    "api_key",
  ]);
});

it("an upstream's message is stripped of secrets and truncated", () => {
  expect(withoutSecrets("1: incorrect key sk-12345, sk-12345!", ["sk-12345", "1", ""])).toBe(
    "1: incorrect key [secret], [secret]!",
  );
  expect(withoutSecrets("x".repeat(1000), [])).toHaveLength(301);
});
