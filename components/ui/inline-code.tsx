import { Fragment } from "react";

const CODE = /`([^`]+)`/;

/** Text whose parts between backticks are code. */
export const InlineCode = ({ text }: { text: string }) =>
  text.split(CODE).map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="font-mono text-[0.93em] break-words">
        {part}
      </code>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
