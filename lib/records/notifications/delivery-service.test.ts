import tls from "node:tls";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { MAIL_CERTIFICATE } from "../../testing/mail-certificate";
import { mailServer } from "../../testing/mail-server";
import { MAIL_LOGIN } from "../../testing/start-mail-server";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CreateMemberBody } from "../members/contract";
import { create, resetPassword } from "../members/service";
import { whileLeased } from "../../platform/jobs/lease-store";
import { deliverNotification } from "./delivery-service";
import { findDueNotifications } from "./due-store";

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
  const { data: member, invite_url = "", emailed } = await invite(world, email);
  expect(emailed).toBe(true);
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
  const { reset_url, ...reset } = await resetPassword(world.context, { ...none, params: { user_id: member.id } });
  expect(reset.emailed).toBe(true);
  await attempt(world);
  expect(unfolded(1)).toContain("Subject: Reset your Signalbox password");
  expect(unfolded(1)).toContain(reset_url);
  expect(await rowsOf(world)).toMatchObject([
    { type: "invitation", status: "delivered", payloadCiphertext: null },
    { type: "password_reset", status: "delivered", attempts: [{ status: 250, error: null }] },
  ]);
});

it("retries an email that the mail server refuses, with the same Message-ID", async () => {
  const { url, emails } = await mailServer({
    refuses: (nth) => (nth === 1 ? { code: 451, message: "Try again later" } : null),
  });
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

describe("over an encrypted connection", () => {
  const urlOf = (encrypts: "implicit" | "starttls", port: number, host = "localhost") =>
    `${encrypts === "implicit" ? "smtps" : "smtp"}://${MAIL_LOGIN}@${host}:${port}`;

  /** Makes clients trust the certificate as if it were from NODE_EXTRA_CA_CERTS, which a process reads at its start. */
  function trustCertificate(): void {
    const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions, ready?: () => void) => tls.TLSSocket;
    const trusting = (options: tls.ConnectionOptions, ready?: () => void) =>
      connect({ ...options, ca: MAIL_CERTIFICATE.cert }, ready);
    const spy = vi.spyOn(tls, "connect").mockImplementation(trusting as typeof tls.connect);
    onTestFinished(() => spy.mockRestore());
  }

  const lastAttempt = async (world: World) => {
    await invite(world, `${world.organizationId}@example.com`);
    await attempt(world);
    return (await rowsOf(world))[0];
  };

  it.each(["implicit", "starttls"] as const)("sends to a server with a trusted certificate: %s", async (encrypts) => {
    trustCertificate();
    const server = await mailServer({ encrypts });
    expect(await lastAttempt(await worldWith(urlOf(encrypts, server.port)))).toMatchObject({ status: "delivered" });
    expect([server.emails.length, server.encrypted()]).toEqual([1, 1]);
  });

  it.each(["implicit", "starttls"] as const)("sends nothing to one with another certificate: %s", async (encrypts) => {
    const server = await mailServer({ encrypts });
    const unknown = await lastAttempt(await worldWith(urlOf(encrypts, server.port)));
    expect(JSON.stringify(unknown?.attempts)).toContain(
      "The mail server's certificate isn't trusted: self-signed certificate. If its authority is your own, set NODE_EXTRA_CA_CERTS",
    );
    trustCertificate();
    const misnamed = await lastAttempt(await worldWith(urlOf(encrypts, server.port, "127.0.0.1")));
    expect(JSON.stringify(misnamed?.attempts)).toContain("does not match certificate's altnames");
    expect([unknown?.status, misnamed?.status, server.emails.length]).toEqual(["pending", "pending", 0]);
  });

  it("sends nothing unencrypted to another machine", async () => {
    const { port, emails } = await mailServer();
    // This address reaches the local machine without naming it.
    const row = await lastAttempt(await worldWith(`smtp://${MAIL_LOGIN}@0.0.0.0:${port}`));
    expect(JSON.stringify(row?.attempts)).toContain("The mail server offers no encryption");
    expect(emails).toEqual([]);
  });
});

it("sends nothing without a mail server", async () => {
  const world = await testWorld();
  expect((await invite(world, `${world.organizationId}@example.com`)).emailed).toBe(false);
  expect(await rowsOf(world)).toEqual([]);
});

it("finds due messages with a share for each recipient, the first of each before others", async () => {
  const { url, emails } = await mailServer();
  const world = await worldWith(url);
  const { db, settings } = world.context;
  for (const name of ["a", "b"]) await invite(world, `${name}@${world.organizationId}.example`);
  const [first] = await db.notification.findMany({
    where: { organizationId: world.organizationId },
    omit: { attempts: true },
    orderBy: { recipient: "asc" },
  });
  if (!first) throw new Error("no message");
  const id = () => crypto.randomUUID();
  await db.notification.createMany({ data: Array.from({ length: 5 }, () => ({ ...first, id: id() })) });
  const due = (await findDueNotifications(db, NOW, 2)).filter(
    ({ organizationId }) => organizationId === world.organizationId,
  );
  expect(due.map(({ receiver }) => /email (.)@/.exec(receiver)?.[1]).toSorted()).toEqual(["a", "a", "b"]);
  expect(new Set(due.slice(0, 2).map(({ receiver }) => receiver)).size).toBe(2);
  const [found] = due.filter(({ receiver }) => receiver.includes("email b@"));
  if (!found) throw new Error("not due");
  const context = { db, settings, clock: () => NOW, signal: new AbortController().signal };
  const send = () =>
    whileLeased(context, "notifications", found, (due_at) =>
      deliverNotification(context, { notification_id: found.id, due_at }),
    );
  expect(await Promise.all([send(), send()])).toEqual(expect.arrayContaining([true, false]));
  expect(emails).toHaveLength(1);
});
