"use client";
import { useState, type ReactNode } from "react";
import { IdentityDialog } from "@/components/session/identity-dialog";
import { SessionEnded } from "@/components/session/session-ended";
import { UserContext, type SignedInUser } from "@/components/session/user-context";
import { rememberPreference, SIDEBAR_COOKIE } from "@/lib/browser/preferences";
import { ChosenWorkspaceProvider } from "./chosen-workspace";
import { OfflineBanner } from "./offline-banner";
import { OfflineLinks } from "./offline-links";
import { PageFocus } from "./page-focus";
import { PageLoadBar } from "./page-load-bar";
import { Shortcuts } from "./shortcuts";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";

interface FrameProps {
  user: SignedInUser;
  isSidebarCollapsed: boolean;
  children: ReactNode;
}

/** Frame of every console page: navigation, top bar and banners. */
export function Frame({ user, isSidebarCollapsed, children }: FrameProps) {
  const [isCollapsed, setCollapsed] = useState(isSidebarCollapsed);
  const toggle = () => {
    rememberPreference(SIDEBAR_COOKIE, isCollapsed ? "open" : "collapsed");
    setCollapsed(!isCollapsed);
  };
  return (
    <UserContext value={user}>
      <ChosenWorkspaceProvider>
        <div className="flex min-h-dvh">
          <a
            href="#content"
            className="sr-only z-50 rounded-md bg-primary px-3 py-2 text-on-primary focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
          >
            Skip to content
          </a>
          <Sidebar isCollapsed={isCollapsed} onToggle={toggle} />
          <div className="flex min-w-0 flex-1 flex-col">
            <TopBar />
            <main
              id="content"
              tabIndex={-1}
              className="mx-auto w-full max-w-[108rem] flex-1 px-4 py-6 outline-none sm:px-6 lg:px-8"
            >
              {children}
            </main>
          </div>
        </div>
        <PageFocus />
        <PageLoadBar />
        <OfflineBanner />
        <OfflineLinks />
        <Shortcuts />
        <SessionEnded />
        <IdentityDialog />
      </ChosenWorkspaceProvider>
    </UserContext>
  );
}
