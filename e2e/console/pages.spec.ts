import { mergeTests } from "@playwright/test";
import { test as ownServerTest } from "../own-server";
import { ADMIN } from "../server";
import { createPerson, signIn, SIGNED_OUT, test as consoleTest } from "./console-test";
import { expectNoActions } from "./forbidden-page";
import { checkPage, DESKTOP, takeScreenshots, type ConsolePage, type PageOptions } from "./page-checks";
import { NO_ID, prepare, SCENES, type Scene } from "./page-scenes";
import { invite } from "./scene-data";

const test = mergeTests(consoleTest, ownServerTest).extend<PageOptions & { visit: typeof checkPage }>({
  screenshots: [false, { option: true }],
  visit: ({ screenshots }, use) => use(screenshots ? takeScreenshots : checkPage),
});

const SIGNED_OUT_SCENES: readonly Scene[] = [
  { name: "sign-in", path: "/sign-in", h1: "Sign in to Signalbox", title: "Sign in", shows: "Email" },
  {
    name: "invitation",
    path: "",
    h1: "Welcome to Signalbox",
    title: "Set a password",
    shows: "First name",
    make: invite,
  },
  { name: "reference-signed-out", path: "/docs", h1: "API reference", shows: "Create a guardrail" },
];

const forbidden = (name: string, path: string, h1: string, subject: string): ConsolePage => ({
  name: `${name}-forbidden`,
  path,
  h1,
  shows: `You don’t have access to ${subject}`,
  isRefusalExpected: true,
});

/** Pages of a member without keys. */
const NEW_MEMBER_PAGES: readonly ConsolePage[] = [
  { name: "overview-member", path: "/", h1: "Overview", shows: "Ask an admin for an inference key" },
  { name: "keys-empty", path: "/keys", h1: "API keys", shows: "No keys yet" },
];

const FORBIDDEN_PAGES: readonly ConsolePage[] = [
  forbidden("guardrails", "/guardrails", "Guardrails", "guardrails"),
  forbidden("guardrail-history", `/guardrails/${NO_ID}/history`, "History", "this guardrail"),
  forbidden("members", "/members", "Members", "members"),
  forbidden("roles", "/members/roles", "Roles", "roles"),
  forbidden("groups", "/members/groups", "Groups", "groups"),
  forbidden("permissions", "/members/permissions", "Permissions", "permissions of members"),
  forbidden("providers", "/providers", "Providers & models", "providers"),
  forbidden("coverage", "/coverage", "Coverage", "coverage"),
  forbidden("alerts", "/alerts", "Alerts", "alerts"),
  forbidden("budgets", "/budgets", "Budgets", "limits"),
  forbidden("audit", "/audit", "Audit log", "the audit log"),
  forbidden("settings", "/settings", "Settings", "organization settings"),
  forbidden("exports", "/settings?tab=exports", "Settings", "exports"),
];

/** Pages of the first admin right after installation. */
const FRESH_PAGES: readonly ConsolePage[] = [
  { name: "overview-fresh", path: "/", h1: "Overview", shows: "Create an inference key" },
  { name: "guardrails-empty", path: "/guardrails", h1: "Guardrails", shows: "No guardrails yet" },
  { name: "presets-empty", path: "/presets", h1: "Presets", shows: "No presets yet" },
  { name: "alerts-empty", path: "/alerts", h1: "Alerts", shows: "No alerts yet" },
  { name: "exports-empty", path: "/settings?tab=exports", h1: "Settings", shows: "No exports yet" },
  { name: "generations-empty", path: "/generations", h1: "Generations", shows: "No generations in the last 7 days" },
];

/** The pages that `npm test` checks. */
const JOURNEYS = "overview guardrail generations sign-in";
const titleOf = ({ name }: Scene) => (JOURNEYS.split(" ").includes(name) ? `${name} @journey` : name);

for (const scene of SCENES) {
  test(titleOf(scene), async ({ page, visit, api, world }) => visit(page, await prepare(scene, api, world)));
}

test.describe("to others", () => {
  test.use({ storageState: SIGNED_OUT });
  for (const scene of SIGNED_OUT_SCENES) {
    test(titleOf(scene), async ({ page, visit, api, world }) => visit(page, await prepare(scene, api, world)));
  }

  test("a new member's pages", async ({ page, visit, api, serverUrl }) => {
    test.slow();
    await page.context().addCookies((await signIn(serverUrl, await createPerson(api))).cookies);
    for (const each of NEW_MEMBER_PAGES) await visit(page, each);
    for (const each of FORBIDDEN_PAGES) {
      await visit(page, each);
      await page.setViewportSize(DESKTOP);
      await expectNoActions(page);
    }
  });

  test("a fresh installation's pages", async ({ page, visit, own }) => {
    test.slow();
    const { url } = await own.start();
    await page.context().addCookies((await signIn(url, ADMIN)).cookies);
    for (const each of FRESH_PAGES) await visit(page, { ...each, path: url + each.path });
  });
});
