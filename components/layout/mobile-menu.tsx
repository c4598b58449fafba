"use client";
import { Menu as MenuIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { MobileNavigation } from "./mobile-navigation";

/** Navigation for narrow screens. */
export function MobileMenu() {
  const [isOpen, setOpen] = useState(false);
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
      {isOpen && <MobileNavigation onClose={() => setOpen(false)} />}
    </>
  );
}
