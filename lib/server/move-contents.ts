// npm run contents:move: moves contents from the database into the bucket (docs/content-store.md). Signalbox may run meanwhile.
import "server-only";
import { markContents, moveContents } from "../records/contents/move-store";
import { openInstall } from "../platform/database/open";
import { env } from "../platform/env";
import { scriptArguments } from "../platform/script-arguments.mjs";

scriptArguments("npm run contents:move", {
  note: "Moves contents from the database into the bucket of SIGNALBOX_CONTENT_STORE=s3",
});
const settings = env();
if (settings.contentStore === "s3") {
  const { client: db, close } = await openInstall(settings);
  try {
    const marked = await markContents({ db });
    const moved = await moveContents({ db, settings }, new AbortController().signal);
    process.stdout.write(`${marked} contents found in the database, ${moved} moved. The server moves the rest.\n`);
  } finally {
    await close();
  }
} else {
  process.stderr.write("SIGNALBOX_CONTENT_STORE=s3 is required\n");
  process.exitCode = 1;
}
