/** The look of everything that floats next to its trigger. */
export const popupStyle =
  "relative z-50 overflow-hidden rounded-lg border bg-surface-raised p-1 text-foreground shadow-lg data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98 duration-100";
