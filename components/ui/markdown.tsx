"use client";
import { lazyComponent } from "./lazy-component";

const MarkdownView = lazyComponent(() => import("./markdown-view").then((file) => file.MarkdownView), {
  ssr: false,
  loading: () => <span className="block min-h-5" />,
});

/** Untrusted Markdown: no HTML, no remote images, and external links without a referrer. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="grid min-w-0 gap-3 wrap-anywhere">
      <MarkdownView text={text} />
    </div>
  );
}
