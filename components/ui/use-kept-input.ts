import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, type SyntheticEvent } from "react";
import { ignoreToasts } from "./toast";

/**
 * Protects unsent input in a dialog's form: a click outside doesn't close the dialog, and Escape closes it only
 * when pressed twice. `content` contains props of the dialog's content; `isAsking` is true after the first Escape.
 */
export function useKeptInput(isOpen: boolean) {
  const isEdited = useRef(false);
  /** True from a submit until its request ends or the user types again. */
  const isSent = useRef(false);
  const mutations = useQueryClient().getMutationCache();
  const [isAsking, setAsking] = useState(false);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    setAsking(false);
  }
  useEffect(() => {
    isEdited.current = false;
    isSent.current = false;
    if (!isOpen) return;
    return mutations.subscribe((event) => {
      if (event.type !== "updated" || !isSent.current) return;
      if (event.action.type === "success") isEdited.current = false;
      if (event.action.type === "success" || event.action.type === "error") isSent.current = false;
    });
  }, [isOpen, mutations]);
  const content = {
    onInput: ({ target }: SyntheticEvent) => {
      setAsking(false);
      if ((target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.form) {
        isEdited.current = true;
        isSent.current = false;
      }
    },
    onSubmit: () => {
      isSent.current = true;
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
