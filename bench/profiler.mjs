// Imported before a server by bench/profile.ts: SIGUSR2 starts V8's profiler, and the end of the process writes the profile.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { isMainThread } from "node:worker_threads";

const session = new Session();

if (isMainThread) {
  session.connect();
  process.once("SIGUSR2", () => {
    session.post("Profiler.enable");
    session.post("Profiler.start");
    process.once("exit", () => {
      session.post("Profiler.stop", (error, result) => {
        if (!error) writeFileSync(process.env.PROFILE ?? "", JSON.stringify(result.profile));
      });
    });
  });
}
