"use client";
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { announce } from "@/lib/browser/announce";
import { copyText } from "@/lib/browser/clipboard";
import { Button, type ButtonProps } from "./button";

const SHOWN_MS = 1500;

/** Copies `text`. Without children, an icon button with `label` as its name. */
export function CopyButton({
  text,
  label,
  children,
  ...props
}: Omit<ButtonProps, "onClick"> & { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const Icon = isCopied ? Check : Copy;
  return (
    <Button
      variant={children ? "secondary" : "ghost"}
      size={children ? "md" : "icon-sm"}
      aria-label={children ? undefined : label}
      onClick={async () => {
        const isDone = await copyText(text);
        setCopied(isDone);
        announce(isDone ? "Copied" : "Couldn't copy to the clipboard");
      }}
      {...props}
    >
      <Icon aria-hidden className={isCopied ? "text-success" : undefined} />
      {children}
    </Button>
  );
}
