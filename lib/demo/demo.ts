// npm run demo: fills a running install with the sample data of an organization that has used it for 30 days. Objects and the newest
// requests are sent to the API; older requests are recorded in the database. Running it again adds only what is missing.
import { scriptArguments } from "../platform/script-arguments.mjs";
import { fillGroups, fillLimits, GROUPS } from "./access";
import { connect } from "./api";
import { fillHistory } from "./fill-history";
import { addHappenings } from "./happenings";
import { fillOrganization } from "./organization";
import { fillPresets } from "./preset-history";
import { fillProviders, PROVIDERS } from "./providers";
import { sendTraffic } from "./traffic";

const say = (line: string) => process.stdout.write(`${line}\n`);

const { values, fail } = scriptArguments("npm run demo --", {
  options: {
    url: { type: "string", default: `http://127.0.0.1:${process.env["PORT"] ?? 3000}` },
    key: { type: "string" },
    seed: { type: "string", default: "1" },
  },
  note: "The management key may also be in SIGNALBOX_MANAGEMENT_KEY. The history needs the database, so run it in the server's folder or with its DATABASE_URL",
});
const key = values.key ?? process.env["SIGNALBOX_MANAGEMENT_KEY"] ?? fail("A management key is required");

const seed = Number(values.seed);
if (!Number.isSafeInteger(seed)) fail("--seed must be a whole number");

/** Says how many have been made each time that `step` more have. */
function every(step: number, noun: string): (count: number) => void {
  let shown = 0;
  return (count) => {
    if (count - shown < step) return;
    shown = count;
    say(`  ${count} ${noun} …`);
  };
}

try {
  const url = values.url.replace(/\/+$/, "");
  const api = connect(url, key);
  const began = new Date();
  say(`models: ${await fillProviders(api)} new, of ${PROVIDERS.length} providers`);
  const organization = await fillOrganization(api, say);
  say(`groups: ${await fillGroups(api, organization)} new, of ${GROUPS.length}`);
  say(`limits: ${await fillLimits(api, organization)} new`);
  say(`preset versions: ${await fillPresets(api)} new`);
  const recorded = await fillHistory(
    organization,
    { seed, began, now: new Date() },
    every(1000, "requests of the last 30 days"),
  );
  say(
    recorded === null
      ? "No history: the database of this folder or of DATABASE_URL isn't that of the install"
      : `requests of the last 30 days: ${recorded} new`,
  );
  await addHappenings(api, organization, new Date());
  say("exceptions, policy tests, labels, alerts and webhooks");
  const { succeeded, failed } = await sendTraffic(api, url, organization, every(50, "requests"));
  say(`requests through the gateway: ${succeeded + failed} new, ${failed} blocked or failed on purpose`);
  say("The models of providers other than sandbox fail until you replace their sample API keys.");
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
