import { useEffect, useRef, type SyntheticEvent } from "react";
import { ignoreToasts } from "./toast";

/** Props of a dialog's content: a click outside doesn't close it and lose what has been typed into its form since it was last sent. */
export function useKeptInput(isOpen: boolean) {
  const isEdited = useRef(false);
  useEffect(() => {
    isEdited.current = false;
  }, [isOpen]);
  return {
    onInput: ({ target }: SyntheticEvent) => {
      if ((target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.form)
        isEdited.current = true;
    },
    onSubmit: () => {
      isEdited.current = false;
    },
    onInteractOutside: (event: Event) => {
      if (isEdited.current) event.preventDefault();
      ignoreToasts(event);
    },
  };
}
