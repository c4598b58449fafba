/** Cookies read by the server, so that the first paint is correct. */
export const SIDEBAR_COOKIE = "signalbox_sidebar";
/** Folded groups of the sidebar, separated by dots. */
export const FOLDED_GROUPS_COOKIE = "signalbox_folded_groups";
/** "open" once started, so that a completed checklist is shown; "dismissed" permanently. */
export const FIRST_STEPS_COOKIE = "signalbox_first_steps";

/** Relative time range of the log that was last chosen. */
export const LOG_RANGE_COOKIE = "signalbox_log_range";

/** Storage key of the theme. */
export const THEME_KEY = "signalbox_theme";
export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

export const parseTheme = (text: string | undefined): Theme => THEMES.find((theme) => theme === text) ?? "system";

const YEAR_SECONDS = 31_536_000;

export function rememberPreference(cookie: string, value: string): void {
  document.cookie = `${cookie}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
