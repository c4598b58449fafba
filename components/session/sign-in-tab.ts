import { useEffect, useEffectEvent, useState } from "react";

const CHANNEL = "signalbox sign-in";

/** What a tab reports that was opened for a sign-in: null, or why it was refused. */
export interface TabOutcome {
  refusal: string | null;
}

/** Reports to the page that opened this tab. */
export function reportOutcome(outcome: TabOutcome): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(outcome);
  channel.close();
}

/** Opens an identity provider in another tab, so that this page keeps its state, and calls back when it has ended there. */
export function useSignInTab(onEnded: (outcome: TabOutcome) => void): { isOpen: boolean; open: (url: string) => void } {
  const [isOpen, setOpen] = useState(false);
  const ended = useEffectEvent((outcome: TabOutcome) => {
    setOpen(false);
    onEnded(outcome);
  });
  useEffect(() => {
    if (!isOpen) return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<TabOutcome>) => ended(data);
    return () => channel.close();
  }, [isOpen]);
  const open = (url: string) => {
    setOpen(true);
    window.open(url, "_blank");
  };
  return { isOpen, open };
}
