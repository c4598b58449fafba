import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createResponse } from "../../lib/gateway/contract";
import { SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE } from "../../lib/records/workload-identities/vocabulary";
import { expect, test } from "./console-test";
import { expectAccessible } from "./page-checks";

const ISSUER = "https://ci.example";
const SUBJECT = "pipeline:acme/app:main";

test("a workload identity is added, its workload uses the key, and it ends with the identity", async ({
  page,
  api,
  world,
  serverUrl,
}) => {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] };
  const { hash } = await world.inferenceKey();
  await page.goto(`/keys/${hash}`);
  const section = page.getByRole("region", { name: "Workload identities" });
  await expect(section).toContainText("Let a pipeline or a pod exchange its own token for this key");
  await section.getByRole("button", { name: "Add identity…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add workload identity" });
  const box = (name: string) => dialog.getByRole("textbox", { name });
  await expect(box("Issuer")).toHaveValue("https://token.actions.githubusercontent.com");
  await expect(box("Audience")).toHaveValue(new URL(serverUrl).origin);
  await dialog.getByRole("combobox", { name: "Platform" }).click();
  await page.getByRole("option", { name: "Other" }).click();
  await expect(box("Issuer")).toHaveValue("");
  await dialog.getByRole("button", { name: "Add identity" }).click();
  await expect(box("Name")).toHaveAccessibleDescription(/Name is required/);
  await expect(box("Subject")).toHaveAccessibleDescription(/Subject is required/);
  await box("Name").fill("Deployments");
  await box("Issuer").fill(ISSUER);
  await box("Subject").fill("pipeline:acme/app:*");
  await dialog.locator("summary").click();
  await box("Public keys (JWKS)").fill(JSON.stringify(jwks));
  await expectAccessible(page, "new workload identity");
  await dialog.getByRole("button", { name: "Add identity" }).click();

  const created = page.getByRole("dialog", { name: "“Deployments” added" });
  await expect(created.getByRole("group", { name: "Commands" })).toContainText(`${serverUrl}/v1/oauth/token`);
  await expectAccessible(page, "code of a new workload identity");
  await created.getByRole("button", { name: "Done" }).click();
  const item = section.getByRole("listitem");
  for (const text of ["Deployments", ISSUER, "pipeline:acme/app:*", "15 minutes", "Never used"])
    await expect(item).toContainText(text);
  await item.getByText("How to use").click();
  await expect(item.getByRole("group", { name: "Commands" })).toBeVisible();

  const token = await new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .setIssuer(ISSUER)
    .setAudience(new URL(serverUrl).origin)
    .setSubject(SUBJECT)
    .setIssuedAt()
    .setExpirationTime("5 minutes")
    .sign(privateKey);
  const exchanged = await fetch(`${serverUrl}/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: TOKEN_EXCHANGE,
      subject_token_type: SUBJECT_TOKEN_TYPES[0],
      subject_token: token,
    }),
  });
  expect(exchanged.status).toBe(200);
  const { access_token: key } = (await exchanged.json()) as { access_token: string };
  const use = () => api.send(createResponse, { body: { model: "sandbox/echo", input: "Hello" } }, { as: key });
  const used = await use();
  expect(used.status).toBe(200);
  await page.goto(`/generations/${used.headers.get("x-generation-id") ?? ""}`);
  const request = page.getByRole("region", { name: "Request", exact: true });
  for (const text of ["Workload", SUBJECT, ISSUER]) await expect(request).toContainText(text);

  await page.goto(`/keys/${hash}`);
  await expect(item).toContainText("Used ");
  await item.getByRole("button", { name: "Actions for Deployments" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete “Deployments”?" });
  await expect(question).toContainText("Keys that it exchanged end at once.");
  await question.getByRole("button", { name: "Delete identity" }).click();
  await expect(section).toContainText("Let a pipeline or a pod exchange its own token for this key");
  await expect.poll(async () => (await use()).status).toBe(401);
});
