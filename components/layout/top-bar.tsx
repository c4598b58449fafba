import { AccountMenu } from "@/components/session/account-menu";
import type { Theme } from "@/lib/browser/preferences";
import { Breadcrumbs } from "./breadcrumbs";
import { MobileMenu } from "./mobile-menu";
import { ThemeMenu } from "./theme-menu";

export function TopBar({ theme }: { theme: Theme }) {
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-1 border-b bg-background/90 px-2 backdrop-blur-sm sm:px-4 lg:px-6">
      <MobileMenu />
      <Breadcrumbs />
      <div className="ml-auto flex items-center gap-1">
        <ThemeMenu initial={theme} />
        <AccountMenu />
      </div>
    </header>
  );
}
