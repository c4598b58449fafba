import type { Context } from "../platform/context";
import { cookieToken } from "../records/session/browser-cookies";
import { start } from "../records/sign-in-connections/start-service";
import type { World } from "./test-context";

/** A world with a connection that is on. Its domain is new, because addresses are unique. */
export interface Connected extends World {
  domain: string;
  connectionId: string;
}

interface Cookies {
  flow?: string | null;
  session?: string | null;
}

/** A request of a browser with these cookies. */
export const requestOf = (context: Context, cookies: Cookies = {}): Context => ({
  ...context,
  now: new Date(),
  flowToken: cookies.flow ?? null,
  sessionToken: cookies.session ?? null,
  headers: new Headers(),
});

/** The cookie that a response sets. */
export const cookieOf = (name: "flow" | "session", { headers }: Context): string | null =>
  headers
    .getSetCookie()
    .reduce<string | null>((found, line) => cookieToken(name, line.split(";")[0] ?? "", false) ?? found, null);

/** Begins a sign-in, as a browser without or with a session. */
export async function begin(world: Connected, query: object = {}, session: string | null = null) {
  const request = requestOf(world.context, { session });
  const { location } = await start(request, { params: { id: world.connectionId }, query, body: undefined });
  return { url: location, flow: cookieOf("flow", request) };
}

/** The reason for which a redirect says that nobody was signed in. */
export const refusalOf = (location: string): string | null => new URL(location, "http://x").searchParams.get("refusal");
