import { Image as ImageIcon, Square, SquareCheck } from "lucide-react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

const SAFE_LINK = /^(?:https?|mailto):/i;

/** Only absolute http(s) URLs are kept. */
const safeUrl = (url: string) => (SAFE_LINK.test(url) ? url : null);

const heading = ({ children }: { children?: React.ReactNode }) => <p className="text-sm font-semibold">{children}</p>;

const boxStyle = "mr-1 inline size-4 align-[-0.15em]";

const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="rounded-sm text-accent underline underline-offset-2"
      >
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // Loading an image would disclose the reader to its host.
  img: ({ alt, src }) => (
    <span className="inline-flex items-center gap-1 rounded-sm bg-subtle px-1 text-muted">
      <ImageIcon aria-hidden className="size-3.5" />
      {alt !== undefined && alt !== "" ? alt : "Image"}
      {typeof src === "string" && <span className="text-xs">({src})</span>}
    </span>
  ),
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  ul: ({ children }) => <ul className="grid list-disc gap-1 pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="grid list-decimal gap-1 pl-5">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => <blockquote className="grid gap-2 border-l-2 pl-3 text-muted">{children}</blockquote>,
  hr: () => <hr className="my-1" />,
  code: ({ children }) => <code className="rounded-sm bg-subtle px-1 font-mono text-[13px]">{children}</code>,
  pre: ({ children }) => (
    <pre
      tabIndex={0}
      className="overflow-x-auto rounded-md border bg-background p-3 text-[13px]/5 [&_code]:bg-transparent [&_code]:p-0"
    >
      {children}
    </pre>
  ),
  table: ({ children }) => (
    <div tabIndex={0} className="overflow-x-auto">
      <table className="text-left text-[13px] [&_td]:border [&_td]:px-2 [&_td]:py-1 [&_th]:border [&_th]:bg-subtle [&_th]:px-2 [&_th]:py-1">
        {children}
      </table>
    </div>
  ),
  input: ({ checked }) =>
    checked ? (
      <SquareCheck role="img" aria-label="Done" className={boxStyle} />
    ) : (
      <Square role="img" aria-label="To do" className={boxStyle} />
    ),
};

/** The Markdown renderer, loaded on first use. Headings aren't part of the page outline. */
export function MarkdownView({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} urlTransform={safeUrl} components={components}>
      {text}
    </ReactMarkdown>
  );
}
