import { readFile } from "node:fs/promises";
import { mergeTests, type Download, type Page } from "@playwright/test";
import { listAuditEvents } from "../../lib/platform/audit/contract";
import { generateKeyPair } from "../../lib/records/sign-in-connections/saml-key-pair";
import { readServiceMetadata, SamlProvider } from "../../lib/testing/saml-provider";
import { createApi } from "../api-client";
import { test as ownServerTest } from "../own-server";
import { ADMIN, MANAGEMENT_KEY } from "../server";
import { expect, signIn, SIGNED_OUT, test as consoleTest } from "./console-test";
import { expectAccessible } from "./page-checks";

// The sign-in page is the whole installation's.
const test = mergeTests(consoleTest, ownServerTest);

test.use({ storageState: SIGNED_OUT });

const contentOf = async (download: Download) => readFile(await download.path(), "utf8");

async function downloaded(page: Page, click: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent("download");
  await click();
  return contentOf(await download);
}

test("a SAML provider is set up from its metadata, tested and turned on, and signs people in and out", async ({
  page,
  browser,
  own,
}) => {
  test.slow();
  const provider = await SamlProvider.start();
  try {
    const { url } = await own.start();
    const api = createApi(url, MANAGEMENT_KEY);
    await page.context().addCookies((await signIn(url, ADMIN)).cookies);

    await page.goto(`${url}/settings?tab=sign-in`);
    await page.getByRole("button", { name: "New identity provider" }).first().click();
    const creation = page.getByRole("dialog", { name: "New identity provider" });
    await creation.getByRole("textbox", { name: "Name" }).fill("Acme SAML");
    await creation.getByRole("combobox", { name: "Protocol" }).click();
    await page.getByRole("option", { name: "SAML 2.0" }).click();
    await creation.getByRole("textbox", { name: "Email domains" }).fill("acme.example");
    await page.keyboard.press("Enter");
    await creation.getByRole("button", { name: "Continue" }).click();

    const sheet = page.getByRole("dialog", { name: "Acme SAML" });
    const registration = sheet.getByRole("region", { name: "1. Register Signalbox at the provider" });
    for (const name of ["Entity ID and metadata", "Assertion consumer service URL", "Single logout URL"])
      await expect(registration.getByRole("button", { name: `Copy ${name}` })).toBeVisible();
    const metadata = await downloaded(page, () =>
      registration.getByRole("link", { name: "Download metadata" }).click(),
    );
    provider.service = readServiceMetadata(metadata);
    expect(provider.service.acsUrl.startsWith(`${url}/session/connections/`)).toBe(true);
    const certificate = await downloaded(page, () =>
      registration.getByRole("button", { name: "Download certificate" }).click(),
    );
    expect(certificate.trim()).toBe(provider.service.certificate.trim());

    const importing = sheet.getByRole("group", { name: "Metadata" });
    await importing.getByRole("textbox", { name: "Provider’s metadata" }).fill("<EntityDescriptor/>");
    await importing.getByRole("button", { name: "Read metadata" }).click();
    await expect(importing.getByRole("alert")).toContainText("no identity provider with SAML 2.0");
    await expectAccessible(page, "metadata that can't be used");
    const file = { name: "idp.xml", mimeType: "application/xml", buffer: Buffer.from(await provider.metadata()) };
    await importing.getByLabel("Metadata file").setInputFiles(file);
    await expect(importing.getByText("Metadata read")).toBeVisible();
    const settings = sheet.getByRole("form", { name: "Provider" });
    await expect(settings.getByRole("textbox", { name: "Entity ID" })).toHaveValue(provider.entityId);
    await expect(settings.getByRole("textbox", { name: "Certificates" })).toHaveValue(/BEGIN CERTIFICATE/);
    await expectAccessible(page, "settings of a SAML provider");
    await settings.getByRole("button", { name: "Save provider" }).click();
    await expect(page.getByText("Identity provider saved")).toBeVisible();

    const outcome = sheet.getByRole("region", { name: "4. Test" });
    const runTest = async () => {
      const opened = page.context().waitForEvent("page");
      await sheet.getByRole("button", { name: "Test sign-in" }).click();
      const tab = await opened;
      await expect(tab.getByRole("heading", { name: "Test finished" })).toBeVisible();
      await tab.close();
    };
    provider.overrides = { audience: "https://other.example" };
    await runTest();
    await expect(outcome.getByText("The test failed")).toBeVisible();
    await expect(outcome.getByText(/audience of the assertion is "https:\/\/other\.example", expected/)).toBeVisible();
    provider.overrides = {};
    await runTest();
    await expect(outcome.getByText("The test succeeded")).toBeVisible();
    await expect(outcome.getByRole("table")).toContainText("engineers");
    await expectAccessible(page, "outcome of a SAML test");
    await sheet.getByRole("button", { name: "Turn on" }).click();
    await expect(sheet.getByRole("button", { name: "Turn off" })).toBeVisible();

    // A new person signs in.
    const context = await browser.newContext({ baseURL: url, storageState: SIGNED_OUT });
    const theirs = await context.newPage();
    const enter = async (heading: string) => {
      await theirs.getByRole("link", { name: "Continue with Acme SAML" }).click();
      await expect(theirs.getByRole("heading", { level: 1, name: heading })).toBeVisible();
    };
    const signInPage = theirs.getByRole("heading", { level: 1, name: "Sign in to Signalbox" });
    await theirs.goto("/presets");
    await enter("Presets");
    await expect(theirs.getByRole("button", { name: "Account: Ada Lovelace" })).toBeVisible();

    // Signing out at the provider ends the session here.
    await theirs.goto(provider.sloUrl);
    await expect(theirs.getByText("signed out")).toBeVisible();
    await theirs.goto("/presets");
    await expect(signInPage).toBeVisible();

    // Signing out here continues at the provider, which sends the browser back.
    await enter("Presets");
    const atProvider = theirs.waitForRequest((request) => request.url().startsWith(`${provider.sloUrl}?SAMLRequest=`));
    await theirs.getByRole("button", { name: "Account: Ada Lovelace" }).click();
    await theirs.getByRole("menuitem", { name: "Sign out" }).click();
    await atProvider;
    await expect(signInPage).toBeVisible();

    // A stranger who answers in the provider's place signs nobody in.
    const stranger = await generateKeyPair("Stranger", new Date());
    provider.overrides = { key: stranger.privateKey, cert: stranger.certificate };
    await theirs.goto("/sign-in");
    await theirs.getByRole("link", { name: "Continue with Acme SAML" }).click();
    await expect(theirs.getByRole("alert").filter({ hasText: "req-" })).toBeVisible();
    await expectAccessible(theirs, "refused SAML sign-in");
    await expect
      .poll(async () => {
        const { data } = await api.call(listAuditEvents, { query: { action: "session.reject" } });
        return JSON.stringify(data);
      })
      .toContain("is signed with the certificate");
    await context.close();
  } finally {
    await provider.close();
  }
});
