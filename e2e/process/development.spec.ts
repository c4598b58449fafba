import { mergeTests } from "@playwright/test";
import { watch } from "../console/page-watch";
import { test as sharedServerTest } from "../fixtures";
import { expect, test as ownServerTest } from "../own-server";
import { ADMIN, MANAGEMENT_KEY } from "../server";

const test = mergeTests(sharedServerTest, ownServerTest);
const authorization = `Bearer ${MANAGEMENT_KEY}`;

const API_REQUESTS: readonly [title: string, path: string, init?: RequestInit][] = [
  ["a list", "/v1/guardrails?limit=1&q=nothing-has-this-name", { headers: { authorization } }],
  ["no key", "/v1/guardrails"],
  ["the head of a list", "/v1/guardrails?q=nothing-has-this-name", { headers: { authorization }, method: "HEAD" }],
  ["a malformed body", "/v1/guardrails", { headers: { authorization }, method: "POST", body: "{" }],
  ["a method without a handler", "/v1/guardrails", { headers: { authorization }, method: "PUT" }],
  ["the method that compiles in development", "/v1/guardrails", { headers: { authorization }, method: "OPTIONS" }],
  ["a malformed id", "/v1/guardrails/%", { headers: { authorization } }],
  ["an unknown path", "/v1/nothing", { headers: { authorization } }],
];

/** Headers that differ from request to request. */
const VARYING = ["date", "x-request-id", "x-ratelimit-remaining", "x-ratelimit-reset", "x-ratelimit-limit"];

async function answerOf(origin: string, path: string, init?: RequestInit) {
  const answer = await fetch(origin + path, init);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !VARYING.includes(name)));
  return { status: answer.status, headers, body: await answer.text() };
}

const withoutNonce = (policy: string | null) => policy?.replaceAll(/'nonce-[^']+'/g, "'nonce'");

test("development answers like production, except for two directives of the page policy and uncached scripts", async ({
  own,
  page,
  serverUrl: production,
}) => {
  test.setTimeout(900_000);
  const { url: development } = await own.start({}, ["--dev"]);

  await test.step("the API", async () => {
    for (const [title, path, init] of API_REQUESTS)
      expect(await answerOf(development, path, init), title).toEqual(await answerOf(production, path, init));
  });

  await test.step("headers of pages", async () => {
    const [developed, built] = await Promise.all([fetch(`${development}/sign-in`), fetch(`${production}/sign-in`)]);
    for (const name of ["content-type", "x-content-type-options", "referrer-policy", "cross-origin-opener-policy"])
      expect(developed.headers.get(name), name).toBe(built.headers.get(name));
    expect(withoutNonce(developed.headers.get("content-security-policy"))).toBe(
      withoutNonce(built.headers.get("content-security-policy"))
        ?.replace("'strict-dynamic'", "'strict-dynamic' 'unsafe-eval'")
        .replace(/style-src 'self' [^;]+/, "style-src 'self' 'unsafe-inline'"),
    );
  });

  await test.step("static files", async () => {
    const html = await (await fetch(`${development}/sign-in`)).text();
    const script = await fetch(development + (/src="(\/_next\/static\/[^"]+\.js[^"]*)"/.exec(html)?.[1] ?? ""));
    expect(script.status).toBe(200);
    expect(script.headers.get("content-type")).toMatch(/javascript/);
    expect(script.headers.get("cache-control")).not.toContain("immutable");
    for (const path of ["/_next/static/nothing.js", "/_next/static/%2e%2e/%2e%2e/package.json"])
      expect((await fetch(development + path)).status, path).toBe(404);
  });

  await test.step("a page in the browser", async () => {
    const complaints = watch(page, { isRefusalExpected: true });
    await page.goto(`${development}/sign-in`);
    await page.getByRole("textbox", { name: "Email" }).fill(ADMIN.email);
    await page.getByLabel("Password", { exact: true }).fill("wrong horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    // A wrong password, because the next page takes minutes to compile beside other tests.
    await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible({
      timeout: 300_000,
    });
    expect(complaints()).toEqual([]);
  });
});
