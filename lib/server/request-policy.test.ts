import { describe, expect, it } from "vitest";
import { allowedHosts, isAllowedHost, pathProblem, refusalOf } from "./request-policy.mjs";

describe("pathProblem", () => {
  it.each([
    "/",
    "/v1/models",
    "/v1/models/",
    "/v1/models/openai%2Fgpt-5",
    "/v1/models/openai%2fgpt-5?limit=1&x=//..//%41",
    "/v1/presets/a:b@c,d;e=f+g!h$i&j'k(l)m*n",
    "/_next/static/chunks/[id].js",
    "/v1/keys/%00",
    "/v1/keys/%C3%A9",
  ])("accepts %j", (target) => expect(pathProblem(target)).toBeNull());

  it.each([
    "*",
    "",
    "v1/models",
    "http://host/v1/models",
    "//v1/models",
    "/v1//models",
    "//",
    "/./v1/models",
    "/v1/../v1/models",
    "/v1/models/.",
    "/v1/models/..",
    "/%76%31/models",
    "/%2e/v1/models",
    "/%2E%2e/v1",
    "/v1/m%6Fdels",
    "/v1/models%5Fx",
    "/v1/%7euser",
    "/v1/%5A",
    "/v1/%30",
    "/v1\\models",
    "/v1/%",
    "/v1/%4",
    "/v1/%zz",
    "/v1/a b",
    "/v1/é",
    "/v1/#x",
    "/v1/<a>",
  ])("rejects %j", (target) => expect(pathProblem(target)).toMatch(/path/));
});

describe("allowedHosts", () => {
  const rules = (setting: string | undefined, hostname = "127.0.0.1", trustsProxy = false) =>
    allowedHosts({ setting, hostname, trustsProxy });
  const allows = (host: string, hosts: readonly string[] | null) => hosts === null || isAllowedHost(host, hosts);

  it("accepts loopback names only on a loopback address", () => {
    const hosts = rules(undefined);
    expect(
      ["localhost", "LOCALHOST:3000", "127.0.0.1:3000", "[::1]:3000", "signalbox.localhost"].map((host) =>
        allows(host, hosts),
      ),
    ).toEqual([true, true, true, true, true]);
    expect(
      ["evil.example", "127.0.0.1.evil.example", "notlocalhost", "localhost.evil.example:3000"].map((host) =>
        allows(host, hosts),
      ),
    ).toEqual([false, false, false, false]);
  });

  it("accepts every host on other addresses, behind a trusted proxy, and with *", () => {
    expect([rules(undefined, "0.0.0.0"), rules(undefined, "127.0.0.1", true), rules("*")]).toEqual([null, null, null]);
  });

  it("accepts the configured names, names below a wildcard, and loopback names", () => {
    const hosts = rules("signalbox.example, *.corp.example", "0.0.0.0", true);
    expect(
      ["signalbox.example:443", "a.corp.example", "localhost", "corp.example", "x.signalbox.example"].map((host) =>
        allows(host, hosts),
      ),
    ).toEqual([true, true, true, false, false]);
  });
});

describe("refusalOf", () => {
  const refused = (...rawHeaders: string[]) =>
    refusalOf(
      { method: "GET", url: "/v1/models", headers: { host: "127.0.0.1" }, rawHeaders, httpVersion: "1.1" },
      { hosts: null, trustsProxy: false },
    );
  const HOST = ["Host", "127.0.0.1"];

  it("accepts one header of a kind", () => expect(refused(...HOST, "Authorization", "Bearer a")).toBeNull());

  it.each([
    ["two hosts", [...HOST, "host", "evil.example"]],
    ["no host", ["Authorization", "Bearer a"]],
    ["two Authorization headers", [...HOST, "Authorization", "Bearer a", "authorization", "Bearer b"]],
  ])("refuses %s", (_, rawHeaders) => expect(refused(...rawHeaders)).toMatchObject({ status: 400 }));
});
