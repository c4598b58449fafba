// npm run demo: fills a running install with sample data through the API. Running it again adds only what is missing.
import { parseArgs } from "node:util";
import { connect } from "./api";
import { fillOrganization } from "./organization";
import { fillPresets } from "./preset-history";
import { sendTraffic } from "./traffic";

const USAGE =
  "npm run demo -- --key <management key> [--url http://127.0.0.1:3000]; the key may also be in SIGNALBOX_MANAGEMENT_KEY";

const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    url: { type: "string", default: `http://127.0.0.1:${process.env["PORT"] ?? 3000}` },
    key: { type: "string", default: process.env["SIGNALBOX_MANAGEMENT_KEY"] },
  },
});

try {
  if (!values.key) throw new Error(`Missing management key. ${USAGE}`);
  const url = values.url.replace(/\/+$/, "");
  const api = connect(url, values.key);
  const organization = await fillOrganization(api, say);
  say(`preset versions: ${await fillPresets(api)} new`);
  let shown = 0;
  const { succeeded, failed } = await sendTraffic(api, url, organization, (sent) => {
    const total = sent.succeeded + sent.failed;
    if (total - shown < 50) return;
    shown = total;
    say(`  ${total} generations …`);
  });
  say(`generations: ${succeeded + failed} new, ${failed} blocked or failed on purpose`);
  say(`Done: ${url}`);
} catch (error) {
  const reason =
    error instanceof Error
      ? error.cause instanceof Error
        ? `${error.message}: ${error.cause.message}`
        : error.message
      : String(error);
  process.stderr.write(`The demo failed: ${reason}\n`);
  process.exitCode = 1;
}
