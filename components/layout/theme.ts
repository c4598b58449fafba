"use client";
import { createContext, use, useState } from "react";
import { rememberPreference, THEME_COOKIE, type Theme } from "@/lib/browser/preferences";

interface ThemeChoice {
  theme: Theme;
  setTheme: (theme: Theme) => void;
}

export const ThemeContext = createContext<ThemeChoice>({ theme: "system", setTheme: () => undefined });

export const useTheme = (): ThemeChoice => use(ThemeContext);

/** The theme from the server's cookie, then as the user changes it. */
export function useThemeChoice(initial: Theme): ThemeChoice {
  const [theme, setShown] = useState(initial);
  const setTheme = (chosen: Theme) => {
    rememberPreference(THEME_COOKIE, chosen);
    document.documentElement.dataset.theme = chosen;
    setShown(chosen);
  };
  return { theme, setTheme };
}
