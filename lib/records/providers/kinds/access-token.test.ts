import type { ServerResponse } from "node:http";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { outboundFetch } from "../../../platform/outbound/fetch";
import { TEST_SETTINGS } from "../../../testing/context";
import { tokenEndpoint } from "../../../testing/token-endpoint";
import { accessToken } from "./access-token";

const START = Date.parse("2026-11-20T10:00:00Z");
const never = new AbortController().signal;

const tokenOf = (keyFile: string, { now = START, allowPrivate = true, signal = never } = {}) =>
  accessToken(keyFile, {
    now: new Date(now),
    send: (request) =>
      outboundFetch({ ...request, peer: "upstream", allowPrivate, timeouts: TEST_SETTINGS.upstreamTimeouts, signal }),
  });
const minutes = (count: number) => START + count * 60_000;

describe("an access token", () => {
  it("is obtained by a signed assertion, once for concurrent callers, and then cached", async () => {
    const { keyFile, issued } = await tokenEndpoint(START);
    const key = keyFile();
    expect(await Promise.all([tokenOf(key), tokenOf(key), tokenOf(key)])).toEqual(Array(3).fill("ya29.token-0"));
    expect(await tokenOf(key)).toBe("ya29.token-0");
    expect(issued).toHaveLength(1);
    expect(await tokenOf(keyFile({ project_id: "other" }))).toBe("ya29.token-1");
  });

  it("is replaced shortly before it expires, and used until then if it can't be", async () => {
    const endpoint = await tokenEndpoint(START);
    const key = endpoint.keyFile();
    const unavailable = (response: ServerResponse) => response.writeHead(503).end("busy");
    expect(await tokenOf(key)).toBe("ya29.token-0");
    expect(await tokenOf(key, { now: minutes(54) })).toBe("ya29.token-0");
    endpoint.answer = unavailable;
    expect(await tokenOf(key, { now: minutes(56) })).toBe("ya29.token-0");
    endpoint.answer = null;
    endpoint.now = minutes(56);
    expect(await tokenOf(key, { now: minutes(56) })).toBe("ya29.token-1");
    endpoint.answer = unavailable;
    await expect(tokenOf(key, { now: minutes(180) })).rejects.toThrow(
      "The token endpoint issued no access token for the provider's service account (status 503)",
    );
  });

  it("is requested again when the caller that requests it leaves", async () => {
    const endpoint = await tokenEndpoint(START);
    const key = endpoint.keyFile();
    const left = new AbortController();
    endpoint.answer = () => left.abort(new Error("left"));
    const first = tokenOf(key, { signal: left.signal });
    const others = [tokenOf(key), tokenOf(key)];
    await expect(first).rejects.toThrow("left");
    endpoint.answer = null;
    expect(await Promise.all(others)).toEqual(["ya29.token-0", "ya29.token-0"]);
  });

  it.each<[string, object, string]>([
    ["another account", { client_email: "eve@project.iam.gserviceaccount.com" }, "(invalid_grant)"],
    [
      "another key",
      {
        private_key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
          type: "pkcs8",
          format: "pem",
        }),
      },
      "(invalid_grant)",
    ],
    ["a key that isn't one", { private_key: "secret" }, "can't be read"],
    ["a file of another type", { private_key: undefined }, "service account key can't be read"],
  ])("isn't issued for %s", async (_name, fields, message) => {
    const { keyFile, issued } = await tokenEndpoint(START);
    const error: unknown = await tokenOf(keyFile(fields)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: null, message: expect.stringContaining(message) as string });
    expect(issued).toEqual([]);
  });

  it("isn't requested from addresses that outbound requests can't reach", async () => {
    const { keyFile, issued } = await tokenEndpoint(START);
    await expect(tokenOf(keyFile(), { allowPrivate: false })).rejects.toThrow(/^The URL must/);
    await expect(tokenOf(keyFile({ token_uri: "http://169.254.169.254/token" }))).rejects.toThrow(/metadata address/);
    expect(issued).toEqual([]);
  });
});
