import { expect, it } from "vitest";
import { mailServer } from "../../testing/mail-server";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CreateMemberBody } from "../members/contract";
import { create, resetPassword } from "../members/service";
import { deliverNotification } from "./delivery-service";

const none = { query: {}, params: {}, body: undefined };
const FROM = "Signalbox <signalbox@example.com>";

async function worldWith(url: string) {
  const world = await testWorld();
  const settings = { ...world.context.settings, smtp: { url, from: FROM } };
  return { ...world, context: { ...world.context, settings } };
}

const rowsOf = ({ context, organizationId }: World) =>
  context.db.notification.findMany({ where: { organizationId }, orderBy: { id: "asc" } });

/** Makes the due attempt of every message at its due time. */
async function attempt(world: World): Promise<void> {
  const { db, settings } = world.context;
  for (const { id, nextAttemptAt } of await rowsOf(world)) {
    if (!nextAttemptAt) continue;
    const context = { db, settings, clock: () => nextAttemptAt, signal: new AbortController().signal };
    await deliverNotification(context, { notification_id: id, due_at: nextAttemptAt.toISOString() });
  }
}

const invite = (world: World, email: string) =>
  create(world.context, { ...none, body: CreateMemberBody.parse({ email, role: "org:member" }) });

it("emails the link of an invitation and of a password reset, and stores neither readably", async () => {
  const { url, emails } = await mailServer();
  const world = await worldWith(url);
  const email = `${world.organizationId}@example.com`;
  const { data: member, invite_url = "" } = await invite(world, email);
  const token = invite_url.split("/").at(-1) ?? "";
  expect(token.length).toBeGreaterThan(40);
  expect(JSON.stringify(await rowsOf(world))).not.toContain(token);
  await attempt(world);
  const unfolded = (nth: number) => (emails[nth] ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  expect(unfolded(0)).toContain(`From: ${FROM}`);
  expect(unfolded(0)).toContain(`To: ${email}`);
  expect(unfolded(0)).toContain("Subject: You are invited to Test on Signalbox");
  expect(unfolded(0)).toContain(invite_url);
  await world.context.db.member.update({ where: { id: member.id }, data: { passwordHash: "set" } });
  const { reset_url } = await resetPassword(world.context, { ...none, params: { user_id: member.id } });
  await attempt(world);
  expect(unfolded(1)).toContain("Subject: Reset your Signalbox password");
  expect(unfolded(1)).toContain(reset_url);
  expect(await rowsOf(world)).toMatchObject([
    { type: "invitation", status: "delivered", payloadCiphertext: null },
    { type: "password_reset", status: "delivered", attempts: [{ status: 250, error: null }] },
  ]);
});

it("retries an email that the mail server refuses, with the same Message-ID", async () => {
  const { url, emails } = await mailServer((nth) => (nth === 1 ? { code: 451, message: "Try again later" } : null));
  const world = await worldWith(url);
  await invite(world, `${world.organizationId}@example.com`);
  await attempt(world);
  const [row] = await rowsOf(world);
  expect(row).toMatchObject({
    status: "pending",
    tries: 1,
    attempts: [{ status: 451, answer: "451 Try again later" }],
  });
  expect(row?.nextAttemptAt?.getTime()).toBeGreaterThan(NOW.getTime());
  await attempt(world);
  expect(await rowsOf(world)).toMatchObject([{ status: "delivered", tries: 2 }]);
  expect(emails[0]).toContain(`Message-ID: <${row?.id}@signalbox>`);
});

it("reports a mail server that can't be reached, and an attempt that is no longer due does nothing", async () => {
  const world = await worldWith("smtp://127.0.0.1:9");
  await invite(world, `${world.organizationId}@example.com`);
  await attempt(world);
  const [row] = await rowsOf(world);
  expect(row).toMatchObject({ status: "pending", attempts: [{ status: null, answer: null }] });
  expect(JSON.stringify(row?.attempts)).toContain("ECONNREFUSED");
  const { db, settings } = world.context;
  const context = { db, settings, clock: () => NOW, signal: new AbortController().signal };
  await deliverNotification(context, { notification_id: row?.id ?? "", due_at: NOW.toISOString() });
  expect(await rowsOf(world)).toMatchObject([{ tries: 1 }]);
});

it("sends nothing without a mail server", async () => {
  const world = await testWorld();
  await invite(world, `${world.organizationId}@example.com`);
  expect(await rowsOf(world)).toEqual([]);
});
