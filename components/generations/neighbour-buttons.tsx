"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "@/components/ui/button";
import { isShortcut } from "@/lib/browser/keyboard";
import type { GenerationFilters } from "@/lib/records/generations/contract";
import { neighboursQuery } from "./generation-queries";

/** Links to the newer (K) and older (J) generation within the filters. */
export function NeighbourButtons({
  id,
  filters,
  onMove,
}: {
  id: string;
  filters: GenerationFilters;
  onMove: (id: string) => void;
}) {
  const neighbours = useQuery({
    ...neighboursQuery(id, filters),
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
    const name = side === "newer" ? "Newer generation" : "Older generation";
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
