/** The sign-in page that leads back to `path`. */
export const signInPath = (path: string): string =>
  path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`;

/** `text` when it is a path of this site, else "/": a link may not send people elsewhere after they signed in. */
export function localPath(text: string | null | undefined): string {
  const home = "http://localhost";
  if (!text?.startsWith("/") || !URL.canParse(text, home)) return "/";
  const url = new URL(text, home);
  return url.origin === home ? `${url.pathname}${url.search}${url.hash}` : "/";
}
