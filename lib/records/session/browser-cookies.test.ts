import { describe, expect, it } from "vitest";
import { cookieToken, setCookie } from "./browser-cookies";

const TOKEN = "a".repeat(43);

describe("the session cookie", () => {
  it("is HttpOnly and SameSite on http, so that localhost works", () => {
    expect(setCookie("session", TOKEN, 60, false)).toBe(
      `signalbox_session=${TOKEN}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`,
    );
  });

  it("is Secure with the __Host- prefix on https", () => {
    expect(setCookie("session", TOKEN, 60, true)).toBe(
      `__Host-signalbox_session=${TOKEN}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`,
    );
  });

  it("is cleared with Max-Age=0", () => {
    expect(setCookie("session", null, 60, false)).toContain("signalbox_session=; Path=/; Max-Age=0;");
  });

  it.each([
    [`signalbox_session=${TOKEN}`, false, TOKEN],
    [`theme=dark; signalbox_session=${TOKEN}`, false, TOKEN],
    [`__Host-signalbox_session=${TOKEN}`, true, TOKEN],
    // Another host of the domain can set the plain name.
    [`signalbox_session=${TOKEN}`, true, null],
    [`signalbox_session=${TOKEN}; __Host-signalbox_session=${"b".repeat(43)}`, true, "b".repeat(43)],
    ["signalbox_session=short", false, null],
    [null, false, null],
  ])("%s (https: %s) is read as %s", (header, isHttps, token) => {
    expect(cookieToken("session", header, isHttps)).toBe(token);
  });
});
