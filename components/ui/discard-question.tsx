/** Shown in a dialog after the first Escape: see `useKeptInput`. */
export const DiscardQuestion = () => (
  <p
    role="alert"
    className="sticky top-0 z-20 rounded-md border border-warning bg-warning-subtle px-3 py-2 text-[13px]"
  >
    Press Escape again to discard what you entered.
  </p>
);
