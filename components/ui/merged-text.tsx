import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { codeStyle } from "./code-style";

export interface TextDiffProps {
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
}

const SIDE_BY_SIDE_PX = 560;
const collapseUnchanged = { margin: 3, minSize: 6 };

const readOnly = (label: string): Extension => [
  codeStyle(),
  EditorView.lineWrapping,
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" }),
];

/** The diff view, loaded on first use. */
export function MergedText({ before, after, beforeLabel, afterLabel }: TextDiffProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const view =
      parent.clientWidth >= SIDE_BY_SIDE_PX
        ? new MergeView({
            parent,
            a: { doc: before, extensions: readOnly(beforeLabel) },
            b: { doc: after, extensions: readOnly(afterLabel) },
            collapseUnchanged,
            gutter: false,
          })
        : new EditorView({
            parent,
            doc: after,
            extensions: [
              readOnly(`${afterLabel}, compared with ${beforeLabel}`),
              unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged, gutter: false }),
            ],
          });
    return () => view.destroy();
  }, [before, after, beforeLabel, afterLabel]);
  return (
    <>
      <div className="flex border-b bg-subtle/50 text-xs font-medium text-muted">
        <span className="flex-1 px-2.5 py-2">{beforeLabel}</span>
        <span className="flex-1 px-2.5 py-2">{afterLabel}</span>
      </div>
      <div ref={place} className="max-h-[32rem] overflow-auto" />
    </>
  );
}
