/** Returns the sign-in page that redirects back to `path`. */
export const signInPath = (path: string): string =>
  path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`;

const HOME = "http://localhost";

/** Matches a path that a browser or a proxy could read as another host's address: `//host`, `/\\host`, even if encoded. */
const LEAVES = /[\\/]{2}|%(?:2f|5c|0[0-9a-f]|1[0-9a-f])|\\/i;

/** Returns `text` if it is a path of this site in its canonical spelling, else "/", which prevents open redirects. */
export function localPath(text: string | null | undefined): string {
  if (!text?.startsWith("/") || !URL.canParse(text, HOME)) return "/";
  const { origin, pathname, search, hash } = new URL(text, HOME);
  const path = `${pathname}${search}${hash}`;
  // The URL parser removes tabs, newlines and dot segments. A text that it changes isn't one of our links.
  if (origin !== HOME || LEAVES.test(pathname) || !text.startsWith(pathname)) return "/";
  return path;
}

/** The page where a member replaces a password that somebody else chose. */
export const FIRST_PASSWORD_PATH = "/first-password";
