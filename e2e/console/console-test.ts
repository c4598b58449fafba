import { request, type BrowserContext, type Page } from "@playwright/test";
import type { Member } from "../../lib/records/members/contract";
import type { Api } from "../api-client";
import { expect, test as base } from "../fixtures";
import { inviteMember, unique } from "../world";

type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

export interface Person extends Member {
  password: string;
}

/** Storage state of a signed-out browser. */
export const SIGNED_OUT: StorageState = { cookies: [], origins: [] };

export async function createPerson(api: Api, role: Member["role"] = "org:member"): Promise<Person> {
  const password = unique("password");
  return { ...(await inviteMember(api, password, { role })), password };
}

/** Signs in through the API and returns the browser's storage state. */
export async function signIn(
  serverUrl: string,
  { email, password }: Pick<Person, "email" | "password">,
): Promise<StorageState> {
  // Within a test, a context starts with the page's session, which signing in would end.
  const client = await request.newContext({
    baseURL: serverUrl,
    extraHTTPHeaders: { origin: serverUrl },
    storageState: SIGNED_OUT,
  });
  const answer = await client.post("/session", { data: { email, password } });
  expect(answer.status(), await answer.text()).toBe(200);
  const state = await client.storageState();
  await client.dispose();
  return state;
}

/** True once React has hydrated the page and all its parts; a click does nothing before. */
const isHydrated = () => document.readyState !== "loading" && !document.querySelector("[data-hydrating]");

/** Waits for the hydration of a page that wasn't opened with `goto`, such as the one after signing in. */
export const hydrated = (page: Page) => page.waitForFunction(isHydrated);

/** Makes scrolling return a promise in every browser, as in current ones. */
export const scrollWithPromises = (page: Page) =>
  page.addInitScript(`
    const scroll = Element.prototype.scrollIntoView;
    Element.prototype.scrollIntoView = function (options) {
      scroll.call(this, options);
      return Promise.resolve();
    };
  `);

/** Makes `goto` wait for hydration. */
function waitForHydration(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil !== "commit") await hydrated(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (options?.waitUntil !== "commit") await hydrated(page);
    return response;
  };
}

/** Less than the age at which some changes require a confirmed session. */
const RECENT_MS = 5 * 60_000;

interface Worker {
  /** Returns a recent session of the worker's admin. Tests share it, because signing in takes long. */
  adminState: () => Promise<StorageState>;
}

/** Pages are signed in as an admin. */
export const test = base.extend<object, Worker>({
  adminState: [
    async ({ api, serverUrl }, use) => {
      const admin = await createPerson(api, "org:owner");
      let session: { state: StorageState; at: number } | undefined;
      await use(async () => {
        if (!session || Date.now() - session.at > RECENT_MS)
          session = { at: Date.now(), state: await signIn(serverUrl, admin) };
        return session.state;
      });
    },
    { scope: "worker" },
  ],
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        context.on("page", waitForHydration);
        return context;
      };
      await use(browser);
    },
    { scope: "worker" },
  ],
  storageState: async ({ adminState }, use) => use(await adminState()),
});

export { expect };
