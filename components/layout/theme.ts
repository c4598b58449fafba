import { useTheme as useStoredTheme } from "next-themes";
import { useIsHydrated } from "@/components/ui/use-browser-value";
import { parseTheme, type Theme } from "@/lib/browser/preferences";

interface ThemeChoice {
  theme: Theme;
  setTheme: (theme: Theme) => void;
}

/** The theme stored in the browser; "system" until the page is hydrated, because the server does not know it. */
export function useTheme(): ThemeChoice {
  const { theme, setTheme } = useStoredTheme();
  const isHydrated = useIsHydrated();
  return { theme: isHydrated ? parseTheme(theme) : "system", setTheme };
}
