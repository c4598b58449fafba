"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuRadioGroup, MenuRadioItem } from "@/components/ui/menu";
import { parseTheme, rememberPreference, THEME_COOKIE, THEMES, type Theme } from "@/lib/browser/preferences";

const LOOK = {
  light: { label: "Light", icon: Sun },
  dark: { label: "Dark", icon: Moon },
  system: { label: "System", icon: Monitor },
} as const satisfies Record<Theme, unknown>;

export function ThemeMenu({ initial }: { initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const choose = (value: string) => {
    const chosen = parseTheme(value);
    rememberPreference(THEME_COOKIE, chosen);
    document.documentElement.dataset.theme = chosen;
    setTheme(chosen);
  };
  const Icon = LOOK[theme].icon;
  const trigger = (
    <Button variant="ghost" size="icon" className="text-muted" aria-label={`Theme: ${LOOK[theme].label}`}>
      <Icon aria-hidden />
    </Button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuRadioGroup value={theme} onValueChange={choose}>
        {THEMES.map((name) => {
          const { label, icon: ItemIcon } = LOOK[name];
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
