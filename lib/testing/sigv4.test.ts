import { expect, it } from "vitest";
import { signed } from "../records/providers/kinds/bedrock";
import { signatureOf } from "./sigv4";

/** Requests of AWS's published test suite for Signature Version 4, with their signatures. */
const SUITE: [string, "GET" | "POST", string, Record<string, string>, string, string][] = [
  ["get-vanilla", "GET", "/", {}, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  ["post-vanilla", "POST", "/", {}, "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
  [
    "get-vanilla-query-order-key-case",
    "GET",
    "/?Param2=value2&Param1=value1",
    {},
    "",
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
  [
    "post-x-www-form-urlencoded",
    "POST",
    "/",
    { "content-type": "application/x-www-form-urlencoded" },
    "Param1=value1",
    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
  ],
];
const KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const SCOPE = "20150830/us-east-1/service/aws4_request";

it.each(SUITE)(
  "the fake's verification of %s gives the published signature",
  (_, method, target, given, body, expected) => {
    const headers: Record<string, string> = {
      ...given,
      host: "example.amazonaws.com",
      "x-amz-date": "20150830T123600Z",
    };
    expect(
      signatureOf({ method, target, headers, body }, Object.keys(headers).sort(), SCOPE, KEYS.secretAccessKey),
    ).toBe(expected);
  },
);

it.each(SUITE)("the signer in use agrees with the verification of %s", async (_, method, target, given, body) => {
  const url = `https://example.amazonaws.com${target}`;
  const scope = { region: "us-east-1", service: "service" };
  const added = await signed({ method, url, headers: given, body }, KEYS, scope, new Date("2015-08-30T12:36:00Z"));
  const [, names = "", signature] = /SignedHeaders=([^,]+), Signature=(.+)$/.exec(added["authorization"] ?? "") ?? [];
  const headers = { ...given, ...added, host: "example.amazonaws.com" };
  expect(signatureOf({ method, target, headers, body }, names.split(";"), SCOPE, KEYS.secretAccessKey)).toBe(signature);
});
