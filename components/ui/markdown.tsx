"use client";
import dynamic from "next/dynamic";
import { persistently } from "./deferred";

const MarkdownView = dynamic(() => persistently(() => import("./markdown-view")), {
  ssr: false,
  loading: () => <span className="block min-h-5" />,
});

/** Text that may be Markdown, shown inert: no HTML, no picture is fetched, links lead out and say nothing of where from. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="grid min-w-0 gap-3 wrap-anywhere">
      <MarkdownView text={text} />
    </div>
  );
}
