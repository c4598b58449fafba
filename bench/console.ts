// npm run bench:console: what the console's pages cost in a browser, over 100,000 generations, beside another gateway's console.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { createApi } from "../e2e/api-client";
import { browserOptions } from "../e2e/browser";
import { watchCost } from "../e2e/console/page-cost";
import { ADMIN, MANAGEMENT_KEY, startServer } from "../e2e/server";
import { getUsage } from "../lib/features/analytics/usage-contract";
import { fillLargeInstall } from "../lib/demo/fill-large-install";
import { listGuardrails } from "../lib/records/guardrails/contract";
import { freePort } from "../lib/testing/free-port";
import { startPostgres } from "../lib/testing/postgres";
import { median } from "./statistics";

const GENERATIONS = 100_000;
const RECORDS = 100;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const SLOWER = 4;
const require = createRequire(import.meta.url);
const WEB_VITALS = readFileSync(
  require.resolve("web-vitals/attribution").replace(/web-vitals\.attribution.*$/, "web-vitals.iife.js"),
  "utf8",
);
const PAGES = [
  "/",
  "/generations",
  "/analytics",
  "/guardrails",
  "/guardrails/new",
  "/presets",
  "/presets/new",
  "/keys",
  "/members",
  "/providers",
  "/providers/new",
  "/coverage",
  "/alerts",
  "/playground",
  "/audit",
  "/settings",
  "/account",
  "/docs",
];

const say = (text: string) => process.stdout.write(`${text}\n`);

interface Vitals {
  LCP: number;
  CLS: number;
  TTFB: number;
  INP: number;
}

/** Has the page keep its vitals: https://github.com/GoogleChrome/web-vitals */
async function watchVitals(page: Page): Promise<() => Promise<Vitals>> {
  const record = `globalThis.__vitals = { LCP: 0, CLS: 0, TTFB: 0, INP: 0 };
    for (const name of Object.keys(__vitals)) webVitals["on" + name](({ value }) => { __vitals[name] = value; }, { reportAllChanges: true, durationThreshold: 16 });`;
  const longest = `new PerformanceObserver((list) => { for (const { interactionId, duration } of list.getEntries()) if (interactionId) globalThis.__longest = Math.max(globalThis.__longest ?? 0, duration); })
    .observe({ type: "event", durationThreshold: 16 });`;
  await page.addInitScript(`${WEB_VITALS};${record};${longest}`);
  return () => page.evaluate(() => (globalThis as unknown as { __vitals: Vitals }).__vitals);
}

/** Fills the install, and returns the paths of a guardrail and of the key that sent most. */
async function seed(url: string, databaseUrl: string): Promise<string[]> {
  await fillLargeInstall(databaseUrl, {
    generations: GENERATIONS,
    keys: RECORDS,
    guardrails: RECORDS,
    contents: 1,
  });
  const api = createApi(url, MANAGEMENT_KEY);
  const guardrails = await api.call(listGuardrails);
  const { data: usage } = await api.call(getUsage, { query: { group_by: "key", measure: "requests", top: "1" } });
  return [
    ...guardrails.data.slice(0, 1).map(({ id }) => `/guardrails/${id}`),
    ...usage.groups.map(({ id }) => `/keys/${id}`),
  ];
}

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Signing in is rate limited: once for all visits. */
async function signIn(browser: Browser, url: string): Promise<StorageState> {
  const context = await browser.newContext({ baseURL: url });
  const answer = await context.request.post("/session", { headers: { origin: url }, data: ADMIN });
  if (!answer.ok()) throw new Error(await answer.text());
  return context.storageState();
}

const signedIn = (browser: Browser, url: string, storageState: StorageState) =>
  browser.newContext({ baseURL: url, viewport: { width: 1280, height: 900 }, storageState });

/** Bytes of all scripts that the page has fetched, as they came over the line. */
const scriptsSoFar = () =>
  (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
    .filter(({ name }) => name.endsWith(".js"))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);

/** One page opened with an empty cache, as often as there are rounds; medians. */
async function measurePage(browser: Browser, url: string, path: string, storageState: StorageState): Promise<void> {
  const rounds: (Vitals & { bytes: number; all: number; requests: number; waterfall: number })[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const context = await signedIn(browser, url, storageState);
    const page = await context.newPage();
    const { shown, cost } = watchCost(page);
    const vitals = await watchVitals(page);
    const opened = await page.goto(path);
    shown();
    // The other console keeps a stream open: it never comes to rest.
    await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => null);
    await sleep(200);
    const { scriptBytes: bytes, requests, waterfall } = await cost(opened);
    rounds.push({
      ...(await vitals()),
      bytes,
      all: await page.evaluate(scriptsSoFar),
      requests: requests.length,
      waterfall,
    });
    await context.close();
  }
  const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
  say(
    `| ${path} | ${(of("bytes") / 1000).toFixed(0)} | ${(of("all") / 1000).toFixed(0)} | ${of("requests")} | ${of("waterfall")} | ${of("TTFB").toFixed(0)} | ${of("LCP").toFixed(0)} | ${of("CLS").toFixed(3)} |`,
  );
}

interface Driven {
  interactions: { name: string; longest: number }[];
  inp: number;
  loads: number;
}

/** A list of 100 rows, driven by keyboard and mouse on a processor that is made slower: of each step the longest interaction. */
async function drive(browser: Browser, url: string, storageState: StorageState): Promise<Driven> {
  const context = await signedIn(browser, url, storageState);
  const page = await context.newPage();
  const vitals = await watchVitals(page);
  let loads = 0;
  page.on("load", () => loads++);
  await page.goto("/generations", { waitUntil: "networkidle" });
  const protocol = await context.newCDPSession(page);
  await protocol.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const rows = page.getByRole("table", { name: "Generations" }).getByRole("row");
  const wheel = async (times: number, by: number) => {
    for (let turn = 0; turn < times; turn++) {
      await page.mouse.wheel(0, by);
      await sleep(50);
    }
  };
  const steps: [name: string, act: () => Promise<unknown>][] = [
    [
      "going down twenty rows",
      async () => {
        await rows.nth(1).focus();
        for (let press = 0; press < 20; press++) {
          await page.keyboard.press("ArrowDown");
          await sleep(100);
        }
      },
    ],
    ["opening a generation", () => page.keyboard.press("Enter")],
    [
      "closing it",
      async () => {
        await page.getByRole("dialog", { name: "Generation" }).waitFor();
        await page.keyboard.press("Escape");
      },
    ],
    ["opening the column chooser", () => page.getByRole("button", { name: "Columns" }).click()],
    ["closing it", () => page.keyboard.press("Escape")],
    ["back to the top", () => wheel(20, -1_000)],
    ["opening a filter", () => page.getByRole("button", { name: /^Status/ }).click()],
    ["choosing in it", () => page.getByRole("checkbox", { name: "Failed" }).click()],
    ["closing it", () => page.keyboard.press("Escape")],
    [
      "typing into the search",
      () => page.getByRole("searchbox", { name: "Search text or ID" }).pressSequentially("hello", { delay: 50 }),
    ],
  ];
  await rows.nth(1).hover();
  await wheel(20, 1_000);
  await wheel(20, -1_000);
  const interactions: Driven["interactions"] = [];
  for (const [name, act] of steps) {
    await sleep(500);
    await page.evaluate(() => {
      (globalThis as unknown as { __longest: number }).__longest = 0;
    });
    await act();
    await sleep(1_000);
    interactions.push({
      name,
      longest: await page.evaluate(() => (globalThis as unknown as { __longest: number }).__longest),
    });
  }
  const { INP: inp } = await vitals();
  await context.close();
  return { interactions, inp, loads: loads - 1 };
}

async function measureInteractions(browser: Browser, url: string, storageState: StorageState): Promise<void> {
  const rounds: Driven[] = [];
  while (rounds.length < Math.max(ROUNDS, 1)) rounds.push(await drive(browser, url, storageState));
  say(`\nGenerations list, ${GENERATIONS} records, more than ${RECORDS} loaded, processor ${SLOWER} times slower\n`);
  say("| interaction | longest to next paint ms |\n|---|---:|");
  rounds[0]?.interactions.forEach(({ name }, step) =>
    say(`| ${name} | ${median(rounds.map(({ interactions }) => interactions[step]?.longest ?? NaN))} |`),
  );
  say(
    `\ninteraction to next paint ${rounds.map(({ inp }) => inp.toFixed(0)).join(", ")} ms, page loads ${Math.max(...rounds.map(({ loads }) => loads))} after the first`,
  );
}

/** The console of another gateway that runs from the registry's package. */
async function startOther() {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [require.resolve("@portkey-ai/gateway/build/start-server.js"), `--port=${port}`],
    { stdio: "ignore" },
  );
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 200 && !(await fetch(url).catch(() => null)); attempt++) await sleep(50);
  return { url, stop: () => child.kill() };
}

const postgres = await startPostgres();
const stops: (() => unknown)[] = [postgres.stop];
try {
  const server = await startServer(
    {
      name: "bench-console",
      variables: {
        DATABASE_URL: postgres.url("postgres"),
        SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64"),
        SIGNALBOX_ADMIN_EMAIL: ADMIN.email,
        SIGNALBOX_ADMIN_PASSWORD: ADMIN.password,
        SIGNALBOX_MANAGEMENT_KEY: MANAGEMENT_KEY,
        SIGNALBOX_RATE_LIMIT_PER_MINUTE: "0",
        SIGNALBOX_LOG_LEVEL: "error",
      },
    },
    300_000,
  );
  stops.unshift(server.stop);
  const details = await seed(server.url, postgres.url("postgres"));
  const other = await startOther();
  stops.unshift(other.stop);
  const browser = await chromium.launch(await browserOptions());
  stops.unshift(() => browser.close());
  say(
    `Medians of ${ROUNDS} visits with an empty cache, ${GENERATIONS} generations, ${RECORDS} guardrails, ${RECORDS} keys\n`,
  );
  say(
    "| page | first script kB gzip | all script at rest kB | API requests | waterfall | TTFB ms | LCP ms | CLS |\n|---|---:|---:|---:|---:|---:|---:|---:|",
  );
  const admin = await signIn(browser, server.url);
  for (const path of [...PAGES, ...details]) await measurePage(browser, server.url, path, admin);
  await measurePage(browser, other.url, "/public/", { cookies: [], origins: [] });
  await measureInteractions(browser, server.url, admin);
} finally {
  for (const stop of stops) await stop();
}
