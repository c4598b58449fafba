import "server-only";
import { createTransport } from "nodemailer";
import type { Env } from "../../platform/env";
import { emailOf, type Message } from "./message";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Sends an email over a new connection, encrypted unless the server is on this machine. Returns the server's reply. */
export async function sendEmail(
  { url, from }: NonNullable<Env["smtp"]>,
  { id, to, message }: { id: string; to: string; message: Message },
  deadlineMs: number,
): Promise<string> {
  const { hostname, port, protocol, username, password } = new URL(url);
  const transport = createTransport({
    host: hostname.replaceAll(/[[\]]/g, ""),
    port: port === "" ? (protocol === "smtps:" ? 465 : 587) : Number(port),
    secure: protocol === "smtps:",
    requireTLS: !LOOPBACK.test(hostname),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: deadlineMs,
    greetingTimeout: deadlineMs,
    socketTimeout: deadlineMs,
  });
  try {
    const { response } = await transport.sendMail({
      ...emailOf(message),
      from,
      to: { name: "", address: to },
      // The same for every attempt, so that a mail program shows a repetition once.
      messageId: `<${id}@signalbox>`,
      headers: { "Auto-Submitted": "auto-generated" },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return response;
  } finally {
    transport.close();
  }
}
