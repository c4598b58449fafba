import { mergeTests } from "@playwright/test";
import type { Api } from "../api-client";
import { test as ownServerTest } from "../own-server";
import { ADMIN } from "../server";
import type { World } from "../world";
import { createPerson, expect, signIn, SIGNED_OUT, test as consoleTest } from "./console-test";
import { expectNoActions } from "./forbidden-page";
import { openEverything } from "./overlay-tour";
import { checkPage, DESKTOP, takeScreenshots, type ConsolePage, type PageOptions } from "./page-checks";
import { watch } from "./page-watch";
import {
  createExports,
  createFullGuardrail,
  createGuardrails,
  createKeys,
  createPreset,
  createTestedAlert,
  generate,
  generateTrace,
  invite,
} from "./scene-data";

const test = mergeTests(consoleTest, ownServerTest).extend<PageOptions & { visit: typeof checkPage }>({
  screenshots: [false, { option: true }],
  visit: ({ screenshots }, use) => use(screenshots ? takeScreenshots : checkPage),
});

/** A page and its test data. */
interface Scene extends ConsolePage {
  /** Creates data for its list. */
  fill?: (api: Api, world: World) => Promise<unknown>;
  /** Creates the record it shows and returns the last path segment. */
  make?: (api: Api, world: World) => Promise<string>;
}

const NO_ID = "01980000-0000-7000-8000-000000000000";
const NO_HASH = "0".repeat(64);

const unknown = (name: string, path: string, h1: string): Scene => ({
  name: `${name}-unknown`,
  path,
  h1,
  shows: "Not found",
  isRefusalExpected: true,
});

const SCENES: readonly Scene[] = [
  {
    name: "overview",
    path: "/",
    h1: "Overview",
    shows: "Budgets closest to their limit",
    fill: (api, world) => generate(api, world, "sandbox/echo"),
  },
  {
    name: "analytics",
    path: "/analytics",
    h1: "Analytics",
    shows: "sandbox/echo",
    fill: (api, world) => generate(api, world, "sandbox/echo"),
  },
  { name: "guardrails", path: "/guardrails", h1: "Guardrails", shows: /^Production-/, fill: createGuardrails },
  { name: "guardrail-new", path: "/guardrails/new", h1: "New guardrail", shows: "Personal data" },
  {
    name: "guardrail",
    path: "/guardrails/",
    h1: /^Production-/,
    shows: "Personal data",
    make: createFullGuardrail,
  },
  {
    name: "guardrail-history",
    path: "/guardrails/",
    h1: /^History/,
    shows: "Revision 2",
    make: async (api) => `${await createFullGuardrail(api)}/history`,
  },
  unknown("guardrail", `/guardrails/${NO_ID}`, "Guardrail"),
  { name: "keys", path: "/keys", h1: "API keys", shows: /^Support bot-/, fill: createKeys },
  {
    name: "key",
    path: "/keys/",
    h1: /^Key-/,
    shows: "Effective policy",
    make: async (_, world) => (await world.inferenceKey({ limit: 5 })).hash,
  },
  unknown("key", `/keys/${NO_HASH}`, "API key"),
  { name: "members", path: "/members", h1: "Members", shows: /^person-/, fill: (_, world) => world.member() },
  {
    name: "member",
    path: "/members/",
    h1: /^person-/,
    shows: "Effective policy",
    make: async (_, world) => (await world.member()).id,
  },
  unknown("member", "/members/user_000000000000000000000000", "Member"),
  { name: "presets", path: "/presets", h1: "Presets", shows: /^support-bot-/, fill: createPreset },
  { name: "preset-new", path: "/presets/new", h1: "New preset", shows: "Slug" },
  { name: "preset", path: "/presets/", h1: /^support-bot-/, shows: "Configuration", make: createPreset },
  {
    name: "preset-versions",
    path: "/presets/",
    h1: /^support-bot-/,
    shows: "Version 2",
    make: async (api) => `${await createPreset(api)}?tab=versions`,
  },
  {
    name: "playground",
    path: "/playground",
    h1: "Playground",
    shows: "Send a first message",
    fill: (_, world) => world.inferenceKey(),
  },
  unknown("preset", "/presets/no-such-preset", "no-such-preset"),
  {
    name: "generations",
    path: "/generations",
    h1: "Generations",
    shows: "sandbox/reasoner",
    fill: async (api, world) => {
      await generate(api, world, "sandbox/unavailable");
      await generate(api, world, "sandbox/reasoner");
    },
  },
  {
    name: "generation-sheet",
    path: "/generations?id=",
    h1: "Generations",
    shows: "Generations",
    make: (api, world) => generate(api, world, "sandbox/reasoner"),
  },
  {
    name: "generation",
    path: "/generations/",
    h1: "sandbox/reasoner",
    shows: "Completion",
    make: (api, world) => generate(api, world, "sandbox/reasoner"),
  },
  {
    name: "generation-failed",
    path: "/generations/",
    h1: "sandbox/unavailable",
    shows: "Decision record",
    make: (api, world) => generate(api, world, "sandbox/unavailable"),
  },
  { name: "trace", path: "/traces/", h1: "Trace", shows: "And when?", make: generateTrace },
  unknown("generation", "/generations/gen-1700000000-00000000000000000000", "Generation"),
  { name: "providers", path: "/providers?q=sandbox", h1: "Providers & models", shows: "Sandbox" },
  { name: "models", path: "/providers?tab=models&q=sandbox/echo", h1: "Providers & models", shows: "sandbox/echo" },
  { name: "provider-new", path: "/providers/new", h1: "Add provider", shows: "Base URL" },
  { name: "provider", path: "/providers/sandbox", h1: "Sandbox", shows: "Connection" },
  unknown("provider", "/providers/no-such-provider", "no-such-provider"),
  { name: "coverage", path: "/coverage", h1: "Coverage", shows: "Keys without a guardrail" },
  { name: "alerts", path: "/alerts", h1: "Alerts", shows: /^Errors-/, fill: createTestedAlert },
  { name: "alerts-history", path: "/alerts?tab=history", h1: "Alerts", shows: /^Errors-/, fill: createTestedAlert },
  { name: "audit", path: "/audit", h1: "Audit log", shows: /guardrail/i, fill: createGuardrails },
  { name: "settings", path: "/settings", h1: "Settings", shows: "Organization" },
  {
    name: "settings-workspaces",
    path: "/settings?tab=workspaces",
    h1: "Settings",
    shows: "Default",
    fill: (_, world) => world.guardrail(),
  },
  { name: "settings-limits", path: "/settings?tab=limits", h1: "Settings", shows: "SIGNALBOX_RATE_LIMIT_PER_MINUTE" },
  {
    name: "settings-exports",
    path: "/settings?tab=exports",
    h1: "Settings",
    shows: /^Collector-/,
    fill: createExports,
  },
  { name: "settings-sessions", path: "/settings?tab=sessions", h1: "Settings", shows: "Signed in" },
  { name: "account", path: "/account", h1: "Your account", shows: "Password" },
  { name: "reference", path: "/docs", h1: "API reference", shows: "Create a guardrail" },
  { name: "reference-operation", path: "/docs/createGuardrail", h1: "Create a guardrail", shows: "Send request" },
  {
    name: "not-found",
    path: "/no/such/page",
    h1: "Page not found",
    shows: "Page not found",
    isRefusalExpected: true,
  },
];

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
  forbidden("providers", "/providers", "Providers & models", "providers"),
  forbidden("coverage", "/coverage", "Coverage", "coverage"),
  forbidden("alerts", "/alerts", "Alerts", "alerts"),
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

/** Creates the page's data, and returns the page with the path to open. */
async function prepare({ fill, make, path, ...scene }: Scene, api: Api, world: World): Promise<ConsolePage> {
  await fill?.(api, world);
  const made = make ? await make(api, world) : "";
  return { ...scene, path: path + made };
}

for (const scene of SCENES) {
  test(titleOf(scene), async ({ page, visit, api, world }) => visit(page, await prepare(scene, api, world)));
}

test("every page, menu, dialog and sheet opens and closes once without an error", async ({
  context,
  api,
  world,
  screenshots,
}) => {
  test.skip(screenshots, "it takes none");
  test.setTimeout(20 * 60_000);
  const opened: string[] = [];
  for (const scene of SCENES) {
    await test.step(scene.name, async () => {
      const { path, shows, isRefusalExpected } = await prepare(scene, api, world);
      const page = await context.newPage();
      const complaints = watch(page, { isRefusalExpected });
      await page.goto(path);
      await expect(page.locator("main").getByText(shows).filter({ visible: true }).first()).toBeVisible();
      if (!scene.isRefusalExpected)
        opened.push(...(await openEverything(page)).map((name) => `${scene.name}: ${name}`));
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Signalbox" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
      expect.soft(complaints(), scene.name).toEqual([]);
      await page.close();
    });
  }
  // What each list and record has at least, so that the test doesn't pass because it found nothing.
  const FOUND = ["keys: New key", "key: Rotate…", "members: Invite member", "audit: First row", "models: First row"];
  expect(opened).toEqual(expect.arrayContaining(FOUND));
});

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
