import { mergeTests, type Page } from "@playwright/test";
import type { Api } from "../api-client";
import { test as ownServerTest } from "../own-server";
import { ADMIN } from "../server";
import type { World } from "../world";
import { createPerson, signIn, SIGNED_OUT, test as consoleTest } from "./console-test";
import { checkPage, type ConsolePage } from "./page-checks";
import { createFullGuardrail, createGuardrails, createKeys, createPreset, generate, invite } from "./scene-data";

const test = mergeTests(consoleTest, ownServerTest);

/** A page and what is made before it is opened. */
interface Scene extends ConsolePage {
  /** Fills its list. */
  fill?: (api: Api, world: World) => Promise<unknown>;
  /** Makes the one thing that it shows, whose name ends its path. */
  make?: (api: Api, world: World) => Promise<string>;
}

const SCENES: readonly Scene[] = [
  { name: "home", path: "/", h1: "Home", title: "Home", shows: "Send a request" },
  { name: "guardrails", path: "/guardrails", h1: "Guardrails", title: "Guardrails", shows: /^Production-/, fill: createGuardrails },
  { name: "guardrail-new", path: "/guardrails/new", h1: "New guardrail", title: "New guardrail", shows: "Models of OpenAI" },
  {
    name: "guardrail",
    path: "/guardrails/",
    h1: /^Production-/,
    title: "Guardrail",
    shows: "Models of OpenAI",
    make: createFullGuardrail,
  },
  { name: "guardrail-unknown", path: "/guardrails/01980000-0000-7000-8000-000000000000", h1: "Guardrail", title: "Guardrail", shows: "Not found", isRefusalExpected: true },
  { name: "keys", path: "/keys", h1: "API keys", title: "API keys", shows: /^Support bot-/, fill: createKeys },
  { name: "presets", path: "/presets", h1: "Presets", title: "Presets", shows: /^support-bot-/, fill: createPreset },
  { name: "preset", path: "/presets/", h1: /^support-bot-/, title: /^Preset support-bot-/, shows: "Version 2: settings", make: createPreset },
  { name: "preset-unknown", path: "/presets/no-such-preset", h1: "no-such-preset", title: "Preset no-such-preset", shows: "Not found", isRefusalExpected: true },
  {
    name: "generations",
    path: "/generations",
    h1: "Generations",
    title: "Generations",
    shows: "sandbox/reasoner",
    fill: async (api, world) => {
      await generate(api, world, "sandbox/unavailable");
      await generate(api, world, "sandbox/reasoner");
    },
  },
  {
    name: "generation",
    path: "/generations/",
    h1: "sandbox/reasoner",
    title: "Generation",
    shows: "Completion",
    make: (api, world) => generate(api, world, "sandbox/reasoner"),
  },
  {
    name: "generation-failed",
    path: "/generations/",
    h1: "sandbox/unavailable",
    title: "Generation",
    shows: "Attempts",
    make: (api, world) => generate(api, world, "sandbox/unavailable"),
  },
  { name: "generation-unknown", path: "/generations/gen-1700000000-00000000000000000000", h1: "Generation", title: "Generation", shows: "Not found", isRefusalExpected: true },
  { name: "not-found", path: "/no/such/page", h1: "Page not found", title: "Page not found", shows: "There is no page at this address", isRefusalExpected: true },
];

const SIGNED_OUT_SCENES: readonly Scene[] = [
  { name: "sign-in", path: "/sign-in", h1: "Sign in to Signalbox", title: "Sign in", shows: "E-mail" },
  { name: "invitation", path: "", h1: "Welcome to Signalbox", title: "Accept the invitation", shows: "First name", make: invite },
];

/** What a member sees who owns nothing yet. */
const NEW_MEMBER_PAGES: readonly ConsolePage[] = [
  { name: "home-member", path: "/", h1: "Home", title: "Home", shows: "Send a request" },
  { name: "keys-empty", path: "/keys", h1: "API keys", title: "API keys", shows: "No keys yet" },
  { name: "guardrails-forbidden", path: "/guardrails", h1: "Guardrails", title: "Guardrails", shows: "Your role does not include the guardrails", isRefusalExpected: true },
];

/** What the first admin sees right after the first start. */
const FRESH_PAGES: readonly ConsolePage[] = [
  { name: "home-fresh", path: "/", h1: "Home", title: "Home", shows: "Send a request" },
  { name: "guardrails-empty", path: "/guardrails", h1: "Guardrails", title: "Guardrails", shows: "No guardrails yet" },
  { name: "presets-empty", path: "/presets", h1: "Presets", title: "Presets", shows: "No presets yet" },
  { name: "generations-empty", path: "/generations", h1: "Generations", title: "Generations", shows: "No generations yet" },
];

async function check(page: Page, theme: string, { fill, make, path, ...scene }: Scene, api: Api, world: World) {
  await fill?.(api, world);
  const made = make ? await make(api, world) : "";
  await checkPage(page, theme, { ...scene, path: path + made });
}

for (const theme of ["light", "dark"] as const) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme });
    for (const scene of SCENES) {
      test(scene.name, ({ page, api, world }) => check(page, theme, scene, api, world));
    }

    test.describe("to others", () => {
      test.use({ storageState: SIGNED_OUT });
      for (const scene of SIGNED_OUT_SCENES) {
        test(scene.name, ({ page, api, world }) => check(page, theme, scene, api, world));
      }

      test("a new member's pages", async ({ page, api, serverUrl }) => {
        test.slow();
        await page.context().addCookies((await signIn(serverUrl, await createPerson(api))).cookies);
        for (const each of NEW_MEMBER_PAGES) await checkPage(page, theme, each);
      });

      test("a fresh installation's pages", async ({ page, own }) => {
        test.slow();
        const { url } = await own.start();
        await page.context().addCookies((await signIn(url, ADMIN)).cookies);
        for (const each of FRESH_PAGES) await checkPage(page, theme, { ...each, path: url + each.path });
      });
    });
  });
}
