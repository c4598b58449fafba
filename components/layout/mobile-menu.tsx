"use client";
import { Menu as MenuIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { deferred } from "@/components/ui/deferred";

const navigation = deferred(() => import("./mobile-navigation"));

/** Navigation for narrow screens. */
export function MobileMenu() {
  const [isOpen, setOpen] = useState(false);
  const part = navigation.usePart(isOpen);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="md:hidden"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label="Open navigation"
        onClick={() => setOpen(true)}
      >
        <MenuIcon aria-hidden />
      </Button>
      {part && <part.MobileNavigation onClose={() => setOpen(false)} />}
    </>
  );
}
