import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { MAIL_CERTIFICATE } from "./mail-certificate";

/** User and password in the form of the server's URL. */
export const MAIL_LOGIN = "signalbox:p%40ss";

export interface MailServerOptions {
  /** Rejects the nth email with an error. */
  refuses?: (nth: number) => { code: number; message: string } | null;
  /** Encryption from the start or with STARTTLS, with the certificate of `localhost`. */
  encrypts?: "implicit" | "starttls";
}

export interface MailServer {
  port: number;
  /** Sender's URL of the server without encryption. */
  url: string;
  emails: string[];
  /** Number of sessions with encryption. */
  encrypted: () => number;
  stop: () => Promise<void>;
}

/** Starts a mail server on loopback. */
export async function startMailServer({ refuses = () => null, encrypts }: MailServerOptions): Promise<MailServer> {
  const emails: string[] = [];
  let count = 0;
  let encrypted = 0;
  const server = new SMTPServer({
    ...(encrypts ? MAIL_CERTIFICATE : { disabledCommands: ["STARTTLS"] }),
    secure: encrypts === "implicit",
    allowInsecureAuth: encrypts === undefined,
    onAuth: ({ username, password }, _, done) =>
      username === "signalbox" && password === "p@ss"
        ? done(null, { user: username })
        : done(new Error("Wrong password")),
    onData: (stream, session, done) => {
      if (session.secure) encrypted += 1;
      let email = "";
      stream.setEncoding("utf8").on("data", (chunk: string) => (email += chunk));
      stream.on("end", () => {
        count += 1;
        const refusal = refuses(count);
        if (refusal) {
          done(Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
          return;
        }
        emails.push(email);
        done(null, "Queued");
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A client that rejects the certificate ends the connection, which the server reports as an error.
  server.on("error", () => undefined);
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://${MAIL_LOGIN}@127.0.0.1:${port}`,
    emails,
    encrypted: () => encrypted,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
