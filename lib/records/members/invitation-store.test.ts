import { expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { uuidv7 } from "../../platform/ids";
import { createMember } from "../../testing/factories";
import { NOW, testWorld } from "../../testing/test-context";
import { providerMessage } from "./access-message";
import * as members from "./service";

const SMTP = { url: "smtp://127.0.0.1:1", from: "Signalbox <signalbox@example.com>" };

/** An organization whose members sign in with an identity provider, except one. */
async function withoutPasswords() {
  const world = await testWorld({ origin: "https://box.example" });
  const breakGlass = await createMember(world);
  await world.context.db.organization.update({
    where: { id: world.organizationId },
    data: { passwordSignIn: "break_glass_only", breakGlassMemberId: breakGlass },
  });
  const context: Context = { ...world.context, settings: { ...world.context.settings, smtp: SMTP } };
  const invite = () =>
    members.create(context, {
      params: {},
      query: {},
      body: { email: `${uuidv7(NOW)}@example.com`, role: "org:member" },
    });
  const reset = (user_id: string) =>
    members.resetPassword(context, { params: { user_id }, query: {}, body: undefined });
  return { context, invite, reset };
}

it("invites to the identity provider, without a link to set a password, if passwords are off", async () => {
  const { context, invite } = await withoutPasswords();
  const { data, invite_url, emailed } = await invite();
  expect(invite_url).toBeUndefined();
  expect(emailed).toBe(true);
  expect(await context.db.invitation.count({ where: { memberId: data.id } })).toBe(0);
  expect(await context.db.notification.count({ where: { recipient: data.email, type: "invitation" } })).toBe(1);
  expect(providerMessage("Acme", "https://box.example/sign-in")).toMatchObject({
    text: expect.stringContaining("Sign in with your identity provider"),
    link: { label: "Sign in", url: "https://box.example/sign-in" },
  });
});

it("resets no password that can't be used, and ends nothing", async () => {
  const { context, invite, reset } = await withoutPasswords();
  const { data } = await invite();
  await context.db.member.update({ where: { id: data.id }, data: { passwordHash: "set" } });
  await expect(reset(data.id)).rejects.toMatchObject({
    status: 409,
    metadata: { reason: "identity_provider_required" },
  });
  expect(await context.db.member.findUniqueOrThrow({ where: { id: data.id } })).toMatchObject({ passwordHash: "set" });
});
