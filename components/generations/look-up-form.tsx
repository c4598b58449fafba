"use client";
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

/** Straight to a generation whose id one has, from a log or an answer's header. */
export function LookUpForm() {
  const router = useRouter();
  const open = (data: FormData) => {
    const entry = data.get("id");
    const id = typeof entry === "string" ? entry.trim() : "";
    if (id !== "") router.push(`/generations/${encodeURIComponent(id)}`);
  };
  return (
    <form role="search" action={open} className="flex gap-2">
      <Input name="id" aria-label="Generation id" placeholder="gen-…" required autoComplete="off" spellCheck={false} className="w-56 font-mono text-[13px]" />
      <Button type="submit">
        <Search aria-hidden /> Look up
      </Button>
    </form>
  );
}
