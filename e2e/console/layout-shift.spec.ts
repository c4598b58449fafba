import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { createKeys } from "./scene-data";
import { expect, hydrated, test } from "./console-test";
import { DESKTOP } from "./page-checks";
import { layoutShift } from "./page-cost";

const PHONE = { width: 390, height: 844 };
/** Long enough for a busy browser to paint the received part. */
const PAUSE_MS = 1_500;

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Opens a page through a proxy that pauses after the first row of its table. */
async function openSlowly(page: Page, target: string, path: string, until: () => Promise<void>): Promise<void> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, "accept-encoding": "identity" };
    const forward = async (answer: IncomingMessage) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      if (!answer.headers["content-type"]?.startsWith("text/html")) return void answer.pipe(outgoing);
      const html = await textOf(answer);
      const cut = html.indexOf("</tr>", html.indexOf("<tbody")) + "</tr>".length;
      outgoing.write(html.slice(0, cut));
      setTimeout(() => outgoing.end(html.slice(cut)), PAUSE_MS);
    };
    incoming.pipe(
      request(
        new URL(incoming.url ?? "/", target),
        { method: incoming.method, headers },
        (answer) => void forward(answer),
      ),
    );
  });
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    await until();
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => void server.close(closed));
  }
}

test("columns don't move while the rest of a page arrives", async ({ page, api, serverUrl }) => {
  await createKeys(api);
  await page.setViewportSize(DESKTOP);
  await openSlowly(page, serverUrl, "/keys", async () => {
    expect(await page.getByRole("table", { name: "API keys" }).getByRole("row").count()).toBeGreaterThan(3);
    expect(await page.evaluate(layoutShift)).toEqual({ sum: 0, moved: [] });
  });
});

test("columns don't move when a minute has passed", async ({ page, world }) => {
  const { email } = await world.member();
  await page.clock.install();
  await page.goto(`/members?q=${email}`);
  const table = page.getByRole("table", { name: "Members" });
  const places = () =>
    table.getByRole("columnheader").evaluateAll((heads) => heads.map((head) => head.getBoundingClientRect().x));
  await expect(table.getByText("just now")).toBeVisible();
  const before = await places();
  await page.clock.fastForward("02:00");
  await expect(table.getByText("just now")).toBeHidden();
  expect(await places()).toEqual(before);
});

/** Pixels that a card may grow or shrink. */
const TOLERANCE = 3;

for (const [path, cards] of [
  ["/settings", ["organization", "warnings", "self-service"]],
  ["/account", ["names", "theme", "password", "security"]],
] as const)
  test(`cards of ${path} have their height before their forms are shown`, async ({
    browser,
    page,
    storageState,
    serverUrl,
  }) => {
    // Without scripts, the placeholders remain.
    const context = await browser.newContext({ javaScriptEnabled: false, storageState, baseURL: serverUrl });
    const unscripted = await context.newPage();
    const heightOf = async (on: Page, id: string) => (await on.locator(`#${id}`).boundingBox())?.height ?? 0;
    await unscripted.goto(path, { waitUntil: "commit" });
    await unscripted.waitForLoadState();
    await page.goto(path);
    await hydrated(page);
    for (const size of [DESKTOP, PHONE]) {
      await unscripted.setViewportSize(size);
      await page.setViewportSize(size);
      for (const id of cards)
        expect(Math.abs((await heightOf(unscripted, id)) - (await heightOf(page, id))), id).toBeLessThan(TOLERANCE);
    }
    await context.close();
  });

test("a form that is shown stays while its script loads", async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver((changes) => {
      const removed = changes.flatMap(({ removedNodes }) => [...removedNodes]);
      if (removed.some((node) => node instanceof Element && !node.isConnected && node.querySelector("input")))
        document.documentElement.dataset["lost"] = "a form";
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto("/account");
  await expect(page.getByRole("form", { name: "Your name" })).toBeVisible();
  await expect(page.locator("html")).not.toHaveAttribute("data-lost");
});
