import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { createMember } from "../../lib/records/members/contract";
import { createPerson, expect, hydrated, signIn, SIGNED_OUT, test, type Person } from "./console-test";
import { unique } from "../world";
import { openNewKey } from "./key-steps";
import { expectAccessible } from "./page-checks";

test.use({ storageState: SIGNED_OUT });

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

async function enter(page: Page, { email, password }: Pick<Person, "email" | "password">): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function leave(page: Page, { email }: Person): Promise<void> {
  await page.getByRole("button", { name: `Account: ${email}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(heading(page, "Sign in to Signalbox")).toBeVisible();
  await hydrated(page);
}

test("two-step verification is set up, asks for a code, and accepts a recovery code @journey", async ({
  page,
  api,
  serverUrl,
}) => {
  const person = await createPerson(api);
  await page.context().addCookies((await signIn(serverUrl, person)).cookies);
  await page.goto("/account");
  await page.getByRole("button", { name: "Set up…" }).click();
  const setUp = page.getByRole("dialog", { name: "Set up two-step verification" });
  await expect(setUp.getByRole("img", { name: /QR code/ })).toBeVisible();
  await expectAccessible(page, "two-step verification");
  const secret = (await setUp.locator("code").textContent()) ?? "";
  await setUp.getByLabel("Code", { exact: true }).fill("000000");
  await page.keyboard.press("Enter");
  await expect(setUp.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/is not correct/);
  await setUp.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await page.keyboard.press("Enter");
  const codes = page.getByRole("dialog", { name: "Recovery codes" });
  await expect(codes.getByRole("listitem")).toHaveCount(10);
  await expectAccessible(page, "recovery codes");
  const recovery = (await codes.getByRole("listitem").first().textContent()) ?? "";
  await codes.getByRole("button", { name: "I saved them" }).click();
  await expect(page.getByText("10 of 10 recovery codes left")).toBeVisible();

  await leave(page, person);
  await enter(page, person);
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await expectAccessible(page, "sign-in code");
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Incorrect code" })).toBeVisible();
  await code.fill(recovery);
  await page.keyboard.press("Enter");
  await expect(heading(page, "Overview")).toBeVisible();
});

test("a passkey is added, signs in, and is removed", async ({ browser, api, serverUrl }) => {
  const person = await createPerson(api);
  // Browsers offer passkeys only for host names.
  const context = await browser.newContext({ baseURL: serverUrl.replace("127.0.0.1", "localhost") });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto("/sign-in?next=/account");
  await enter(page, person);
  await expect(heading(page, "Your account")).toBeVisible();
  await hydrated(page);
  await page.getByRole("button", { name: "Add passkey…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill("Laptop");
  await expectAccessible(page, "add a passkey");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("list", { name: "Passkeys" }).getByText("Laptop")).toBeVisible();
  await expectAccessible(page, "account with a passkey");

  await leave(page, person);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(heading(page, "Overview")).toBeVisible();
  await page.goto("/account");
  await page.getByRole("button", { name: "Remove passkey Laptop" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
  await expect(page.getByText("Passkey removed")).toBeVisible();
  await context.close();
});

test("an action that needs a recent sign-in is repeated after the password", async ({ page, api, serverUrl }) => {
  const person = await createPerson(api, "org:admin");
  await page.context().addCookies((await signIn(serverUrl, person)).cookies);
  let isOld = true;
  await page.route("**/v1/keys", async (route) => {
    if (route.request().method() !== "POST" || !isOld) return route.fallback();
    const error = { code: 403, message: "Old", metadata: { reason: "reauthentication_required" } };
    return route.fulfill({ status: 403, json: { error } });
  });
  page.on("response", (answer) => {
    if (answer.url().endsWith("/v1/account/reauthentication") && answer.ok()) isOld = false;
  });
  const name = unique("Late");
  const form = await openNewKey(page);
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  const create = form.getByRole("button", { name: "Create key" });
  const dialog = page.getByRole("dialog", { name: "Confirm it's you" });
  // Twice, because the first dialog loads the form's script.
  for (let time = 0; time < 2; time++) {
    await create.press("Enter");
    await expect(dialog.getByLabel("Password")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(create).toBeFocused();
  }
  await create.press("Enter");
  await expect(dialog.getByLabel("Password")).toBeFocused();
  await expectAccessible(page, "confirm identity");
  await dialog.getByLabel("Password").fill("wrong password");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Incorrect password");
  await dialog.getByLabel("Password").fill(person.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("dialog", { name: `“${name}” created` })).toBeVisible();
});

test("a password chosen by an admin is replaced before anything else", async ({ page, api }) => {
  const email = `${unique("person")}@example.com`;
  const password = "chosen by an admin";
  await api.call(createMember, { body: { email, role: "org:member", password } });
  await page.goto("/sign-in");
  await enter(page, { email, password });
  await expect(heading(page, "Choose your password")).toBeVisible();
  await expectAccessible(page, "first password");
  await page.goto("/keys");
  await expect(heading(page, "Choose your password")).toBeVisible();
  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill("password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByLabel("New password")).toHaveAccessibleDescription(/too easy to guess/);
  await page.getByLabel("New password").fill("staple battery horse");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(heading(page, "Overview")).toBeVisible();
});
