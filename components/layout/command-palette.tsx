"use client";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { lazyComponent } from "@/components/ui/lazy-component";

const CommandDialog = lazyComponent(() => import("./command-dialog").then((file) => file.CommandDialog));

/** Command palette, opened with Ctrl+K, ⌘K or its button. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setOpen((wasOpen) => !wasOpen);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <Button
        className="text-muted max-sm:w-8 max-sm:border-transparent max-sm:bg-transparent max-sm:px-0 max-sm:shadow-none sm:w-44 sm:justify-start"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden />
        <span className="font-normal max-sm:sr-only">Search</span>
        <span aria-hidden className="ml-auto max-sm:hidden">
          <Kbd>Ctrl K</Kbd>
        </span>
      </Button>
      {isOpen && <CommandDialog onClose={() => setOpen(false)} />}
    </>
  );
}
