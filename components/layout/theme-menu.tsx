"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Menu, MenuRadioGroup, MenuRadioItem } from "@/components/ui/menu";
import { parseTheme, THEMES, type Theme } from "@/lib/browser/preferences";
import { useTheme } from "./theme";

export const THEME_LOOK = {
  light: { label: "Light", icon: Sun },
  dark: { label: "Dark", icon: Moon },
  system: { label: "System", icon: Monitor },
} as const satisfies Record<Theme, unknown>;

export function ThemeMenu() {
  const { theme, setTheme } = useTheme();
  const Icon = THEME_LOOK[theme].icon;
  const trigger = (
    <Button variant="ghost" size="icon" className="text-muted" aria-label={`Theme: ${THEME_LOOK[theme].label}`}>
      <Icon aria-hidden />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuRadioGroup value={theme} onValueChange={(value) => setTheme(parseTheme(value))}>
        {THEMES.map((name) => {
          const { label, icon: ItemIcon } = THEME_LOOK[name];
          return (
            <MenuRadioItem key={name} value={name}>
              <ItemIcon aria-hidden className="text-muted" />
              {label}
            </MenuRadioItem>
          );
        })}
      </MenuRadioGroup>
    </Menu>
  );
}
