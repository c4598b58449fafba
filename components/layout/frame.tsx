"use client";
import { useState, type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { usePathname } from "next/navigation";
import { CloudOff, ServerOff } from "lucide-react";
import { IdentityDialog } from "@/components/session/identity-dialog";
import { SessionEnded } from "@/components/session/session-ended";
import { UserContext, type SignedInUser } from "@/components/session/user-context";
import { rememberPreference, SIDEBAR_COOKIE } from "@/lib/browser/preferences";
import { focusHeading } from "@/components/ui/focus-heading";
import { isPageLoading, onPageLoading } from "@/lib/browser/page-loads";
import { toast } from "@/components/ui/toast";
import { onStayedOffline, staysOffline } from "@/lib/browser/page-router";
import { currentReach, onReachChange, type Reach } from "@/lib/browser/reach";
import { ChosenWorkspaceProvider } from "./chosen-workspace";
import { FoldedGroupsProvider } from "./folded-groups";
import { Shortcuts } from "./shortcuts";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";

interface FrameProps {
  user: SignedInUser;
  isSidebarCollapsed: boolean;
  /** Folded groups of the navigation, as stored in the browser. */
  foldedGroups: string | undefined;
  children: ReactNode;
}

/** Frame of every console page: navigation, top bar and banners. */
export function Frame({ user, isSidebarCollapsed, foldedGroups, children }: FrameProps) {
  const [isCollapsed, setCollapsed] = useState(isSidebarCollapsed);
  const toggle = () => {
    rememberPreference(SIDEBAR_COOKIE, isCollapsed ? "open" : "collapsed");
    setCollapsed(!isCollapsed);
  };
  return (
    <UserContext value={user}>
      <ChosenWorkspaceProvider>
        <FoldedGroupsProvider remembered={foldedGroups}>
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
        </FoldedGroupsProvider>
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

/** Moves the focus to the next page's heading if the focused element is gone. */
function PageFocus() {
  const path = usePathname();
  const previous = useRef(path);
  useEffect(() => {
    if (previous.current === path) return;
    previous.current = path;
    const frame = requestAnimationFrame(focusHeading);
    return () => cancelAnimationFrame(frame);
  }, [path]);
  return null;
}

/** Bar at the top edge while the next page loads. Invisible for the first moments. */
function PageLoadBar() {
  const isLoading = useSyncExternalStore(onPageLoading, isPageLoading, () => false);
  if (!isLoading) return null;
  return (
    <div
      role="progressbar"
      aria-label="Loading page"
      className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 animate-late overflow-hidden"
    >
      <div className="h-full w-1/3 animate-slide bg-accent motion-reduce:w-full motion-reduce:animate-none" />
    </div>
  );
}

/** Returns the link if a click opens another page of the console in this tab; otherwise null. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  const isPage = link && link.origin === location.origin && !link.target && !link.hasAttribute("download");
  return isPage && link.pathname !== location.pathname ? link : null;
}

/** Keeps the page when a link is followed offline, and reports every refused navigation. */
function OfflineLinks() {
  useEffect(() => {
    const stay = (event: MouseEvent) => {
      if (linkOf(event) && staysOffline()) event.preventDefault();
    };
    const stop = onStayedOffline(() => {
      toast.error("You are offline", { description: "This page stays open. Try again when you are connected." });
    });
    document.addEventListener("click", stay, { capture: true });
    return () => {
      stop();
      document.removeEventListener("click", stay, { capture: true });
    };
  }, []);
  return null;
}

const NOTICES = {
  offline: { icon: CloudOff, text: "You are offline. Data may be outdated and changes can't be saved." },
  unreachable: { icon: ServerOff, text: "Can't reach Signalbox. Retrying…" },
};

/** Notice while the browser is offline or the server is unreachable. Doesn't shift the page. */
function OfflineBanner() {
  const reach = useSyncExternalStore(onReachChange, currentReach, (): Reach => "online");
  const notice = reach === "online" ? null : NOTICES[reach];
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-(--toast-bottom,1rem) z-40 flex justify-center px-4"
    >
      {notice && (
        <p className="flex items-center gap-2 rounded-lg bg-primary px-3.5 py-2 text-on-primary shadow-lg">
          <notice.icon aria-hidden className="size-4 shrink-0" />
          {notice.text}
        </p>
      )}
    </div>
  );
}
