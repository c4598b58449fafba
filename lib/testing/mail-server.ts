import { onTestFinished } from "vitest";
import { startMailServer, type MailServer, type MailServerOptions } from "./start-mail-server";

/** Starts a mail server on loopback for the duration of the test. */
export async function mailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const server = await startMailServer(options);
  onTestFinished(server.stop);
  return server;
}
