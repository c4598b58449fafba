import { mergeTests, type Page } from "@playwright/test";
import { createApi } from "../api-client";
import { ADMIN, MANAGEMENT_KEY } from "../server";
import { test as ownServerTest } from "../own-server";
import { listAuditEvents } from "../../lib/platform/audit/contract";
import { startIdentityProvider } from "../../lib/testing/identity-provider";
import { unique } from "../world";
import { createPerson, expect, hydrated, signIn, SIGNED_OUT, test as consoleTest } from "./console-test";
import { expectAccessible } from "./page-checks";

// The sign-in page and the rule about passwords are the whole installation's.
const test = mergeTests(consoleTest, ownServerTest);

test.use({ storageState: SIGNED_OUT });

const SECRET = "a secret of the client";

/** Enters a login in the provider's form. */
async function signInAt(page: Page, login: string): Promise<void> {
  await page.getByRole("textbox", { name: "Login" }).fill(login);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("an identity provider is set up, tested and turned on, and decides who signs in @journey", async ({
  page,
  browser,
  own,
}) => {
  test.slow();
  const provider = await startIdentityProvider({
    ada: {
      email: "ada@acme.com",
      email_verified: true,
      given_name: "Ada",
      family_name: "Lovelace",
      groups: ["engineers"],
    },
    eve: { email: "eve@evil.example" },
  });
  try {
    const { url } = await own.start();
    const api = createApi(url, MANAGEMENT_KEY);
    await page.context().addCookies((await signIn(url, ADMIN)).cookies);

    await page.goto(`${url}/settings?tab=sign-in`);
    await expect(page.getByText("No identity providers yet")).toBeVisible();
    await expectAccessible(page, "sign-in settings");
    await page.getByRole("button", { name: "New identity provider" }).first().click();
    const creation = page.getByRole("dialog", { name: "New identity provider" });
    await creation.getByRole("button", { name: "Continue" }).click();
    await expect(creation.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(/Name is required/);
    await creation.getByRole("textbox", { name: "Name" }).fill("Acme ID");
    await creation.getByRole("textbox", { name: "Email domains" }).fill("acme.com");
    await page.keyboard.press("Enter");
    await expectAccessible(page, "new identity provider");
    await creation.getByRole("button", { name: "Continue" }).click();

    const sheet = page.getByRole("dialog", { name: "Acme ID" });
    const addresses = sheet.getByRole("region", { name: "1. Register Signalbox at the provider" });
    const callback = (await addresses.getByText(/\/callback$/).textContent()) ?? "";
    const backChannel = (await addresses.getByText(/\/back-channel-logout$/).textContent()) ?? "";
    expect(callback.startsWith(url)).toBe(true);
    await provider.register({
      client_id: "signalbox",
      client_secret: SECRET,
      redirect_uris: [callback],
      post_logout_redirect_uris: [`${url}/sign-in`],
      backchannel_logout_uri: backChannel,
    });
    await expect(sheet.getByRole("button", { name: "Turn on" })).toBeDisabled();
    const settings = sheet.getByRole("form", { name: "Provider" });
    await settings.getByRole("textbox", { name: "Issuer" }).fill(provider.issuer);
    await settings.getByRole("textbox", { name: "Client ID" }).fill("signalbox");
    await settings.getByLabel("Client secret").fill("wrong");
    await settings.getByRole("textbox", { name: "Scopes" }).fill("groups");
    await page.keyboard.press("Enter");
    await settings.getByRole("button", { name: "Save provider" }).click();
    await expect(settings.getByText("Stored (hidden)")).toBeVisible();
    await expectAccessible(page, "settings of an identity provider");

    const runTest = async (login: string) => {
      const opened = page.context().waitForEvent("page");
      await sheet.getByRole("button", { name: "Test sign-in" }).click();
      const tab = await opened;
      const form = tab.getByRole("textbox", { name: "Login" });
      const done = tab.getByRole("heading", { name: "Test finished" });
      await expect(form.or(done)).toBeVisible();
      if (await form.isVisible()) await signInAt(tab, login);
      await expect(done).toBeVisible();
      await expectAccessible(tab, "end of a test sign-in");
      await tab.close();
    };
    const outcome = sheet.getByRole("region", { name: "4. Test" });
    await runTest("ada");
    await expect(outcome.getByText("The test failed")).toBeVisible();
    await expect(outcome.getByText(/Check the client ID and the client secret/)).toBeVisible();

    await settings.getByRole("button", { name: "Replace Client secret" }).click();
    await settings.getByLabel("Client secret").fill(SECRET);
    await settings.getByRole("button", { name: "Save provider" }).click();
    await expect(settings.getByText("Stored (hidden)")).toBeVisible();
    await runTest("ada");
    await expect(outcome.getByText("The test succeeded")).toBeVisible();
    await expect(outcome.getByRole("table")).toContainText("engineers");
    await expect(outcome).toContainText("Creates an account, and signs in");
    await expectAccessible(page, "outcome of a test sign-in");
    await sheet.getByRole("button", { name: "Turn on" }).click();
    await expect(sheet.getByRole("button", { name: "Turn off" })).toBeVisible();

    // A new person signs in.
    const ada = await browser.newContext({ baseURL: url, storageState: SIGNED_OUT });
    const theirs = await ada.newPage();
    await theirs.goto("/presets");
    await expect(theirs.getByRole("link", { name: "Continue with Acme ID" })).toBeVisible();
    await expectAccessible(theirs, "sign-in page with an identity provider");
    await theirs.getByRole("textbox", { name: "Email" }).fill("ada@acme.com");
    await theirs.getByRole("button", { name: "Continue", exact: true }).click();
    await signInAt(theirs, "ada");
    await expect(theirs.getByRole("heading", { level: 1, name: "Presets" })).toBeVisible();
    await expect(theirs.getByRole("button", { name: "Account: Ada Lovelace" })).toBeVisible();

    // Somebody of another domain doesn't.
    const eve = await browser.newContext({ baseURL: url, storageState: SIGNED_OUT });
    const refused = await eve.newPage();
    await refused.goto("/sign-in");
    await refused.getByRole("link", { name: "Continue with Acme ID" }).click();
    await signInAt(refused, "eve");
    await expect(refused.getByRole("alert").filter({ hasText: "isn’t of your organization" })).toContainText("req-");
    await expectAccessible(refused, "refused sign-in");
    await eve.close();

    // The member's page shows the account, and signing out here ends the session there, which ends both.
    await page.goto(`${url}/members?q=ada%40acme.com`);
    await page.getByRole("link", { name: "Ada Lovelace" }).click();
    await expect(page.getByRole("region", { name: "Identity providers" })).toContainText("Acme ID");
    await expectAccessible(page, "member with an identity provider");
    const other = await ada.newPage();
    await other.goto("/presets");
    await theirs.getByRole("button", { name: "Account: Ada Lovelace" }).click();
    await theirs.getByRole("menuitem", { name: "Sign out" }).click();
    await theirs.getByRole("button", { name: /yes, sign me out/i }).click();
    await expect(theirs.getByRole("heading", { level: 1, name: "Sign in to Signalbox" })).toBeVisible();

    // The provider ends a session by the back channel.
    await hydrated(theirs);
    await theirs.getByRole("link", { name: "Continue with Acme ID" }).click();
    await signInAt(theirs, "ada");
    await expect(theirs.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    await other.goto(`${provider.issuer}/session/end`);
    await other.getByRole("button", { name: /yes, sign me out/i }).click();
    await expect
      .poll(async () => {
        const { data } = await api.call(listAuditEvents, { query: { action: "session.end_by_provider" } });
        return data.length;
      })
      .toBe(1);
    await theirs.goto("/presets");
    await expect(theirs.getByRole("heading", { level: 1, name: "Sign in to Signalbox" })).toBeVisible();
    await ada.close();

    // With passwords off, only the break-glass member signs in by password.
    const colleague = await createPerson(api, "org:owner");
    await page.goto(`${url}/settings?tab=sign-in`);
    const passwords = page.getByRole("form", { name: "Sign-in by password" });
    await passwords.getByRole("combobox", { name: "Passwords" }).click();
    await page.getByRole("option", { name: "Off, except for the break-glass member" }).click();
    await passwords.getByRole("combobox", { name: "Break-glass member" }).click();
    await page.getByRole("option", { name: new RegExp(ADMIN.email) }).click();
    await passwords.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Sign-in settings saved")).toBeVisible();
    await expectAccessible(page, "sign-in settings with passwords off");

    // New members are led to the provider.
    await page.goto(`${url}/members?new=true`);
    const invitation = page.getByRole("dialog", { name: "Invite member" });
    await expect(invitation).toContainText("They sign in with Acme ID");
    await invitation.getByRole("textbox", { name: "Email" }).fill("grace@acme.com");
    await invitation.getByRole("button", { name: "Add member" }).click();
    const added = page.getByRole("dialog", { name: "Member added" });
    await expect(added.getByRole("group", { name: "Sign-in page" })).toHaveText(`${url}/sign-in`);
    await expectAccessible(page, "new member while passwords are off");

    const people = await browser.newContext({ baseURL: url, storageState: SIGNED_OUT });
    const form = await people.newPage();
    const byPassword = async ({ email, password }: { email: string; password: string }) => {
      await form.goto("/sign-in");
      await form.getByRole("button", { name: "Use a password" }).click();
      await form.getByRole("textbox", { name: "Email" }).fill(email);
      await form.getByLabel("Password").fill(password);
      await form.getByRole("button", { name: "Sign in", exact: true }).click();
    };
    await byPassword(colleague);
    await expect(form.getByRole("alert").filter({ hasText: "Sign in with your identity provider" })).toBeVisible();
    await byPassword(ADMIN);
    await expect(form.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    const { data } = await api.call(listAuditEvents, { query: { action: "session.break_glass" } });
    expect(data).toHaveLength(1);
    await people.close();
  } finally {
    await provider.close();
  }
});

test("a member of an identity provider confirms a change there, in another tab", async ({ page, own }) => {
  test.slow();
  const provider = await startIdentityProvider({ root: { email: "root@acme.com", email_verified: true } });
  try {
    const { url } = await own.start();
    const api = createApi(url, MANAGEMENT_KEY);
    const person = await createPerson(api, "org:owner");
    provider.people.set("root", { email: person.email, email_verified: true });
    const domain = person.email.split("@")[1] ?? "";
    await page.context().addCookies((await signIn(url, ADMIN)).cookies);
    const { id, callback } = await page.request
      .post(`${url}/v1/organization/sign-in-connections`, {
        headers: { origin: url },
        data: {
          name: unique("IdP"),
          protocol: "oidc",
          domains: [domain],
          oidc: { issuer: provider.issuer, client_id: "signalbox", client_secret: SECRET },
        },
      })
      .then(async (answer) => {
        const { data } = (await answer.json()) as { data: { id: string; addresses: { callback_url: string } } };
        return { id: data.id, callback: data.addresses.callback_url };
      });
    await provider.register({ client_id: "signalbox", client_secret: SECRET, redirect_uris: [callback] });
    const started = await page.request.post(`${url}/v1/organization/sign-in-connections/${id}/test`, {
      headers: { origin: url },
    });
    await page.goto(((await started.json()) as { data: { url: string } }).data.url);
    await signInAt(page, "root");
    await expect(page.getByRole("heading", { name: "Test finished" })).toBeVisible();
    const enabled = await page.request.patch(`${url}/v1/organization/sign-in-connections/${id}`, {
      headers: { origin: url },
      data: { enabled: true },
    });
    expect(enabled.status(), await enabled.text()).toBe(200);

    await page.context().clearCookies();
    await page.goto(`${url}/session/connections/${id}/start?return_to=/settings?tab=sign-in`);
    await signInAt(page, "root");
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    await hydrated(page);
    // As after 15 minutes without a proof of identity.
    let isConfirmed = false;
    await page.route("**/v1/organization/sign-in", async (route) => {
      if (route.request().method() !== "PATCH" || isConfirmed) return route.continue();
      isConfirmed = true;
      return route.fulfill({
        status: 403,
        contentType: "application/json",
        body: JSON.stringify({
          error: { code: 403, message: "Confirm", metadata: { reason: "reauthentication_required" } },
        }),
      });
    });
    const passwords = page.getByRole("form", { name: "Sign-in by password" });
    await passwords.getByRole("combobox", { name: "Break-glass member" }).click();
    await page.getByRole("option", { name: new RegExp(ADMIN.email) }).click();
    await passwords.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm it's you" });
    await expectAccessible(page, "confirmation with an identity provider");
    const opened = page.context().waitForEvent("page");
    await dialog.getByRole("button", { name: /^Continue with/ }).click();
    const tab = await opened;
    await signInAt(tab, "root");
    await expect(tab.getByRole("heading", { name: "Confirmed" })).toBeVisible();
    await expect(page.getByText("Sign-in settings saved")).toBeVisible();
  } finally {
    await provider.close();
  }
});
