"use client";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useUser } from "@/components/session/user-context";
import { lazyComponent } from "@/components/ui/lazy-component";
import { isShortcut } from "@/lib/browser/keyboard";
import { usePageRouter } from "@/lib/browser/page-router";
import { useChosenWorkspace } from "./chosen-workspace";
import { destinationsFor, inWorkspace } from "./navigation";

const ShortcutsDialog = lazyComponent(() => import("./shortcuts-dialog").then((file) => file.ShortcutsDialog));

/** Time between `g` and the letter of a page. */
const SEQUENCE_MS = 1500;

/** Shortcuts of every page: `?` lists them, `g` and a letter go to a page. */
export function Shortcuts() {
  const { permissions } = useUser();
  const router = usePageRouter();
  const workspace = useChosenWorkspace();
  const [isListed, setListed] = useState(false);
  const startedAt = useRef<number | null>(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event)) return;
    const isSequence = startedAt.current !== null && event.timeStamp - startedAt.current < SEQUENCE_MS;
    startedAt.current = null;
    if (event.key === "?") setListed(true);
    else if (isSequence) {
      const found = destinationsFor(permissions).find(({ shortcut }) => shortcut === event.key.toLowerCase());
      if (!found) return;
      event.preventDefault();
      router.push(inWorkspace(found.href, workspace));
    } else if (event.key === "g") startedAt.current = event.timeStamp;
  });
  useEffect(() => {
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return isListed && <ShortcutsDialog onClose={() => setListed(false)} />;
}
