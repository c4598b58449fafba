import { afterAll, beforeAll, expect, it, vi } from "vitest";
import * as acs from "@/app/session/connections/[id]/saml/route";
import * as logout from "@/app/session/connections/[id]/saml-logout/route";
import * as metadata from "@/app/session/connections/[id]/metadata/route";
import * as starting from "@/app/session/connections/[id]/start/route";
import { randomUUID } from "node:crypto";
import { CreateSignInConnectionBody } from "../records/sign-in-connections/contract";
import { readMetadata } from "../records/sign-in-connections/saml-service";
import { create } from "../records/sign-in-connections/service";
import { readServiceMetadata, SamlProvider } from "../testing/saml-provider";
import { testDatabase, testWorld } from "../testing/test-context";
import { env } from "../platform/env";
import type { RouteHandler } from "./handle";

const HOST = "http://signalbox.test";

let provider: SamlProvider;
beforeAll(async () => {
  vi.stubEnv("SIGNALBOX_SECRET_KEY", Buffer.alloc(32, 7).toString("base64"));
  vi.stubEnv("SIGNALBOX_LOG_LEVEL", "silent");
  const database = await testDatabase();
  Object.assign(globalThis, { __signalbox: Promise.resolve({ db: database.client, database }) });
  provider = await SamlProvider.start();
});
afterAll(() => provider.close());

/** A browser: follows redirects of this site, and sends its cookies only where `SameSite=Lax` lets it. */
class Browser {
  private readonly cookies = new Map<string, string>();
  constructor(private readonly id: string) {}

  async send(handler: RouteHandler, url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    const headers = new Headers(form ? { origin: provider.url, "sec-fetch-site": "cross-site" } : { cookie });
    const init: RequestInit & { duplex: "half" } = { method: form ? "POST" : "GET", headers, duplex: "half" };
    const body = form && new URLSearchParams(form);
    const response = await handler(new Request(new URL(url, HOST), { ...init, ...(body && { body }) }), {
      params: { id: this.id },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  get isSignedIn(): boolean {
    return this.cookies.has("signalbox_session");
  }
}

const locationOf = (response: Response) => {
  expect(response.status).toBe(303);
  return response.headers.get("location") ?? "";
};

it("signs in by a form of another site, and signs out by the provider's request, over HTTP", async () => {
  const world = await testWorld({ now: new Date(), settings: env() });
  const domain = `${randomUUID()}.example`;
  const input = { params: {}, query: {} };
  const xml = await provider.metadata();
  const { data: saml } = await readMetadata(world.context, { ...input, body: { metadata: xml } });
  const body = CreateSignInConnectionBody.parse({ name: "Test", protocol: "saml", domains: [domain], saml });
  const { id } = (await create({ ...world.context, origin: HOST }, { ...input, body })).data;
  await world.context.db.signInConnection.update({ where: { id }, data: { enabled: true, testedAt: new Date() } });
  const browser = new Browser(id);

  const own = await browser.send(metadata.GET, `/session/connections/${id}/metadata`);
  expect(own.headers.get("content-type")).toBe("application/samlmetadata+xml");
  expect(own.headers.has("x-ratelimit-remaining")).toBe(true);
  provider.service = readServiceMetadata(await own.text());
  provider.person = { ...provider.person, email: `ada@${domain}` };

  const request = locationOf(await browser.send(starting.GET, `/session/connections/${id}/start?return_to=/presets`));
  const page = await (await fetch(request)).text();
  const field = (name: string) => new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page)?.[1] ?? "";
  const form = { SAMLResponse: field("SAMLResponse"), RelayState: field("RelayState") };
  const acsPath = new URL(provider.service.acsUrl).pathname;
  const back = locationOf(await browser.send(acs.POST, acsPath, form));
  expect(browser.isSignedIn).toBe(false);
  expect(locationOf(await new Browser(id).send(acs.GET, back))).toContain("refusal=lost");
  expect(locationOf(await browser.send(acs.GET, back))).toBe("/presets");
  expect(browser.isSignedIn).toBe(true);

  const ending = (await fetch(provider.sloUrl, { redirect: "manual" })).headers.get("location") ?? "";
  const answer = locationOf(await browser.send(logout.GET, ending));
  expect(await (await fetch(answer)).text()).toBe("signed out");
  expect(await world.context.db.session.count({ where: { connectionId: id } })).toBe(0);

  const empty = await browser.send(acs.POST, acsPath, { RelayState: "x" });
  expect([empty.status, await empty.text()]).toEqual([400, expect.stringContaining("SAMLResponse")]);
});
