import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { pageNonce } from "@/lib/browser/page-nonce";

const look = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--foreground)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--default-mono-font-family, ui-monospace, Menlo, Consolas, monospace)",
    lineHeight: "20px",
  },
  ".cm-content": { padding: "8px 0", caretColor: "var(--foreground)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--foreground)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-subtle) !important",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--subtle-strong)", color: "inherit" },
  ".cm-tooltip": {
    backgroundColor: "var(--surface-raised)",
    color: "var(--foreground)",
    border: "1px solid var(--border)",
    borderRadius: "6px",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
  ".cm-changedLine": { backgroundColor: "var(--warning-subtle) !important" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--danger-subtle) !important" },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--success-subtle) !important" },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": {
    background: "color-mix(in oklab, var(--danger) 22%, transparent) !important",
  },
  "&.cm-merge-b .cm-changedText": { background: "color-mix(in oklab, var(--success) 22%, transparent) !important" },
  ".cm-collapsedLines": { background: "var(--subtle)", color: "var(--muted)" },
});

const inks = HighlightStyle.define([
  { tag: [tags.propertyName, tags.keyword], color: "var(--accent)" },
  { tag: [tags.string, tags.character], color: "var(--success)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--warning)" },
  { tag: [tags.bracket, tags.operator, tags.punctuation], color: "var(--muted)" },
]);

/** Code styles for both themes. */
export const codeStyle = (): Extension => [look, syntaxHighlighting(inks), EditorView.cspNonce.of(pageNonce())];
