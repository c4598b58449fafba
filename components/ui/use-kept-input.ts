import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { ignoreToasts } from "./toast";

/**
 * Keeps what has been typed into a dialog's form since it was last sent: a click outside doesn't close the dialog, and Escape only does
 * when it is pressed twice. `content` are the props of the dialog's content; `isAsking` is true after the first Escape.
 */
export function useKeptInput(isOpen: boolean) {
  const isEdited = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    setAsking(false);
  }
  useEffect(() => {
    isEdited.current = false;
  }, [isOpen]);
  const content = {
    onInput: ({ target }: SyntheticEvent) => {
      setAsking(false);
      if ((target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.form)
        isEdited.current = true;
    },
    onSubmit: () => {
      isEdited.current = false;
      setAsking(false);
    },
    onEscapeKeyDown: (event: Event) => {
      if (!isEdited.current || isAsking) return;
      event.preventDefault();
      setAsking(true);
    },
    onInteractOutside: (event: Event) => {
      if (isEdited.current) event.preventDefault();
      ignoreToasts(event);
    },
  };
  return { content, isAsking };
}
