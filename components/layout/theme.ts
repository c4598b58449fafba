import { useTheme as useStoredTheme } from "next-themes";
import { useSyncExternalStore } from "react";
import { parseTheme, type Theme } from "@/lib/browser/preferences";

interface ThemeChoice {
  theme: Theme;
  setTheme: (theme: Theme) => void;
}

const neverChanges = () => () => undefined;

/** The theme stored in the browser; "system" until the page is hydrated, because the server does not know it. */
export function useTheme(): ThemeChoice {
  const { theme, setTheme } = useStoredTheme();
  const isHydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  return { theme: isHydrated ? parseTheme(theme) : "system", setTheme };
}
