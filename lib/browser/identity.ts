let confirm: (() => Promise<boolean>) | null = null;

/** Sets the dialog that asks the member to confirm their identity; returns the unsubscribe function. */
export function onIdentityRequired(handler: () => Promise<boolean>): () => void {
  confirm = handler;
  return () => {
    if (confirm === handler) confirm = null;
  };
}

/** Called when an action requires a recent proof of identity; resolves to true when it can be repeated. */
export const confirmIdentity = (): Promise<boolean> => confirm?.() ?? Promise.resolve(false);
