// npm run demo: fills a running install with sample data through the API. Running it again adds only what is missing.
import { scriptArguments } from "../platform/script-arguments.mjs";
import { connect } from "./api";
import { fillOrganization } from "./organization";
import { fillPresets } from "./preset-history";
import { sendTraffic } from "./traffic";

const say = (line: string) => process.stdout.write(`${line}\n`);

const { values, fail } = scriptArguments("npm run demo --", {
  options: {
    url: { type: "string", default: `http://127.0.0.1:${process.env["PORT"] ?? 3000}` },
    key: { type: "string" },
  },
  note: "The management key may also be in SIGNALBOX_MANAGEMENT_KEY",
});
const key = values.key ?? process.env["SIGNALBOX_MANAGEMENT_KEY"] ?? fail("A management key is required");

try {
  const url = values.url.replace(/\/+$/, "");
  const api = connect(url, key);
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
