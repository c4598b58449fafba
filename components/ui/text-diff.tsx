"use client";
import { lazyComponent } from "./lazy-component";
import type { TextDiffProps } from "./merged-text";

const MergedText = lazyComponent(() => import("./merged-text").then((file) => file.MergedText), { ssr: false });

/** Side-by-side diff of two texts, stacked on a phone. */
export function TextDiff(props: TextDiffProps) {
  return (
    <div className="min-h-24 overflow-hidden rounded-md border bg-surface">
      <MergedText key={`${props.before}\u0000${props.after}`} {...props} />
    </div>
  );
}
