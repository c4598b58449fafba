import { AccountMenu } from "@/components/session/account-menu";
import { Breadcrumbs } from "./breadcrumbs";
import { CommandPalette } from "./command-palette";
import { MobileMenu } from "./mobile-menu";
import { ThemeMenu } from "./theme-menu";

export function TopBar() {
  return (
    <header className="print:hidden sticky top-0 z-30 flex h-13 items-center gap-1 border-b bg-background/90 px-2 backdrop-blur-sm sm:px-4 lg:px-6">
      <MobileMenu />
      <Breadcrumbs />
      <div className="ml-auto flex shrink-0 items-center gap-1">
        <CommandPalette />
        <ThemeMenu />
        <AccountMenu />
      </div>
    </header>
  );
}
