/** Cookies of a browser: its session, the proof of an earlier sign-in, a begun one, and the mark of a recent change. */
const COOKIES = {
  session: { name: "signalbox_session", form: /^[0-9A-Za-z]{43}$/ },
  changed: { name: "signalbox_changed", form: /^1$/ },
  flow: { name: "signalbox_sign_in", form: /^v2\.[0-9A-Za-z+/=.]{1,3500}$/ },
  device: { name: "signalbox_device", form: /^[0-9A-Za-z]{22}\.[0-9a-f]{64}$/ },
} as const;

type Cookie = keyof typeof COOKIES;

/**
 * Over https, the name has a prefix that no other host of the domain can set and that browsers accept only with
 * `Secure`.
 */
const nameOf = (cookie: Cookie, isHttps: boolean) => `${isHttps ? "__Host-" : ""}${COOKIES[cookie].name}`;

/** Returns the token of a cookie in a `Cookie` header, or null. */
export function cookieToken(cookie: Cookie, header: string | null, isHttps: boolean): string | null {
  const start = `${nameOf(cookie, isHttps)}=`;
  const pair = header?.split(/; */).find((part) => part.startsWith(start));
  const token = pair?.slice(start.length);
  return token && COOKIES[cookie].form.test(token) ? token : null;
}

/** Returns the `Set-Cookie` value that stores a token, or clears it with null. */
export function setCookie(cookie: Cookie, token: string | null, seconds: number, isHttps: boolean): string {
  const age = token === null ? 0 : seconds;
  const value = `${nameOf(cookie, isHttps)}=${token ?? ""}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax`;
  return isHttps ? `${value}; Secure` : value;
}
