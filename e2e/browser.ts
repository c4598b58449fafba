import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LaunchOptions } from "@playwright/test";
import { ROOT } from "./server";

const SYSTEM_BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable"];
const isRoot = process.getuid?.() === 0;
/** Features that Playwright disables; the last argument of this name counts. */
const DISABLED_FEATURES = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
  // Pages of the address bar, which nobody sees: for each context, they take twice the processor time of a simple page.
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxPopup",
];
/** Chromium's sandbox doesn't work as root. */
const args = [`--disable-features=${DISABLED_FEATURES.join(",")}`, ...(isRoot ? ["--no-sandbox"] : [])];

const systemBrowser = SYSTEM_BROWSERS.find((path) => existsSync(path));

/**
 * Returns options for the system's Chromium, which is current, or else the one of an npm package, pinned by the lock
 * file. `E2E_BROWSER` (`system`, `package` or `playwright`) selects another.
 */
export async function browserOptions(): Promise<LaunchOptions> {
  const wanted = process.env["E2E_BROWSER"] ?? (systemBrowser ? "system" : "package");
  if (wanted === "playwright") return { args };
  if (wanted === "system") return { executablePath: systemBrowser, args };
  const executablePath = await unpackBrowser();
  const libraries = join(dirname(executablePath), "al2023/lib");
  const fonts = join(dirname(executablePath), "fonts");
  return {
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--no-zygote"],
    env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: fonts },
  };
}

/** Returns the versions of the system's browser and of the pinned one, for the output of a test run. */
export function browserVersions(): string {
  const system = systemBrowser && spawnSync(systemBrowser, ["--version"], { encoding: "utf8" }).stdout.trim();
  const pinned = `Chromium ${packageVersion("@sparticuz/chromium")} of the npm package`;
  return system ? `Browsers: ${system} of the system; ${pinned}` : `Browsers: none of the system; ${pinned}`;
}

const packageVersion = (name: string): string =>
  (JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")) as { version: string }).version;

/** Unpacks the bundled browser with libraries and fonts, atomically and once per installation. */
async function unpackBrowser(): Promise<string> {
  const home = join(ROOT, "node_modules/.cache/chromium");
  const executable = join(home, "chromium");
  if (existsSync(executable)) return executable;
  mkdirSync(dirname(home), { recursive: true });
  const draft = mkdtempSync(`${home}-draft-`);
  const { TMPDIR, AWS_EXECUTION_ENV } = process.env;
  // The package unpacks into the temporary folder, and its libraries only if it detects Lambda.
  Object.assign(process.env, { TMPDIR: draft, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" });
  try {
    const { default: packaged } = await import("@sparticuz/chromium");
    await packaged.executablePath();
  } finally {
    restore("TMPDIR", TMPDIR);
    restore("AWS_EXECUTION_ENV", AWS_EXECUTION_ENV);
  }
  writeFileSync(join(draft, "fonts/fonts.conf"), fontConfiguration(home));
  try {
    renameSync(draft, home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(executable)) throw error;
  }
  return executable;
}

/** The package's own configuration names `/tmp/fonts`. Without fonts, Chromium crashes on the first form control. */
const fontConfiguration = (home: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${home}/fonts</dir>
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`;

function restore(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
}
