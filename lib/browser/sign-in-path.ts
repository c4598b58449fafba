/** Returns the sign-in page that redirects back to `path`. */
export const signInPath = (path: string): string =>
  path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`;

/** Returns `text` if it is a path of this site, else "/", which prevents open redirects. */
export function localPath(text: string | null | undefined): string {
  const home = "http://localhost";
  if (!text?.startsWith("/") || !URL.canParse(text, home)) return "/";
  const url = new URL(text, home);
  return url.origin === home ? `${url.pathname}${url.search}${url.hash}` : "/";
}

/** The page that replaces a password chosen by somebody else. */
export const FIRST_PASSWORD_PATH = "/first-password";
