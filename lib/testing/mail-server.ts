import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

/** Starts a mail server on loopback for the duration of the test; `refuses` answers the nth email with an error. */
export async function mailServer(
  refuses: (nth: number) => { code: number; message: string } | null = () => null,
): Promise<{ url: string; emails: string[] }> {
  const emails: string[] = [];
  let count = 0;
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === "signalbox" && password === "p@ss"
        ? done(null, { user: username })
        : done(new Error("Wrong password")),
    onData: (stream, _, done) => {
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
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://signalbox:p%40ss@127.0.0.1:${port}`, emails };
}
