/** Cookies that the server reads so that the first paint is already right. */
export const THEME_COOKIE = "signalbox_theme";
export const SIDEBAR_COOKIE = "signalbox_sidebar";

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

export const parseTheme = (text: string | undefined): Theme => THEMES.find((theme) => theme === text) ?? "system";

const YEAR_SECONDS = 31_536_000;

export function rememberPreference(cookie: string, value: string): void {
  document.cookie = `${cookie}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
