"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "@/components/ui/button";
import { isShortcut } from "@/lib/browser/keyboard";
import { neighboursQuery, type Log } from "./generation-queries";

/** Links to the previous (K) and next (J) generation of the filtered log. */
export function NeighbourButtons({ id, log, onMove }: { id: string; log: Log; onMove: (id: string) => void }) {
  const neighbours = useQuery({
    ...neighboursQuery(id, log),
    placeholderData: keepPreviousData,
    select: ({ data }) => data,
  });
  const known = neighbours.isPlaceholderData ? undefined : neighbours.data;
  const place = useRef<HTMLSpanElement>(null);
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event, place.current?.closest("[role=dialog]"))) return;
    const next = { j: known?.older, k: known?.newer }[event.key.toLowerCase()];
    if (next) onMove(next);
  });
  useEffect(() => {
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
  const button = (side: "newer" | "older", key: string) => {
    const target = neighbours.data?.[side] ?? null;
    const Icon = side === "newer" ? ChevronUp : ChevronDown;
    const names = log.sort
      ? { newer: "Previous generation", older: "Next generation" }
      : { newer: "Newer generation", older: "Older generation" };
    const name = names[side];
    return (
      <Button
        variant="ghost"
        size="icon"
        aria-label={name}
        title={`${name} (${key})`}
        aria-keyshortcuts={key}
        aria-disabled={target === null}
        onClick={() => known?.[side] && onMove(known[side])}
      >
        <Icon aria-hidden />
      </Button>
    );
  };
  return (
    <span ref={place} className="flex">
      {button("newer", "K")}
      {button("older", "J")}
    </span>
  );
}
