import { describe, expect, it } from "vitest";
import { localPath, signInPath } from "./sign-in-path";

describe("localPath", () => {
  it.each([
    "/",
    "/guardrails",
    "/guardrails/0192f3a0-0000-7000-8000-000000000000?tab=tests#top",
    "/generations?next=//elsewhere.example&q=a%2Fb",
    "/models/openai:gpt-5@2",
  ])("returns %j", (path) => {
    expect(localPath(path)).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    "guardrails",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/./\\evil.example",
    "/a/..//evil.example",
    "/%2e//evil.example",
    "/%2e%2e//evil.example",
    "/.%2f/evil.example",
    "/%2f/evil.example",
    "/%2F%2Fevil.example",
    "/%5cevil.example",
    "/%5C/evil.example",
    "/a//evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    "/\t\\evil.example",
    "/%09/evil.example",
    "/%0d%0aLocation:%20//evil.example",
    "\t//evil.example",
    " //evil.example",
    "http://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example@localhost",
    "//localhost@evil.example",
    "//localhost",
    "/\u3002/evil.example\\",
    "//[",
  ])("returns / for %j", (text) => {
    expect(localPath(text)).toBe("/");
  });
});

it("leads back to the same path", () => {
  const path = "/generations?q=a&status=blocked";
  const next = new URL(signInPath(path), "http://localhost").searchParams.get("next");
  expect(localPath(next)).toBe(path);
});
