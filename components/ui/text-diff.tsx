"use client";
import dynamic from "next/dynamic";
import { persistently } from "./deferred";
import type { TextDiffProps } from "./merged-text";

const MergedText = dynamic(() => persistently(() => import("./merged-text")), { ssr: false });

/** Side-by-side diff of two texts, stacked on a phone. */
export function TextDiff(props: TextDiffProps) {
  return (
    <div className="min-h-24 overflow-hidden rounded-md border bg-surface">
      <MergedText key={`${props.before}\u0000${props.after}`} {...props} />
    </div>
  );
}
