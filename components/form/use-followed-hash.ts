import { useSyncExternalStore } from "react";

/** Counts followed links, so that following the same link twice is noticed. */
let follows = 0;

function subscribe(listener: () => void) {
  const follow = () => {
    follows += 1;
    listener();
  };
  /** Following a link to the current hash doesn't change it. */
  const followAgain = ({ target }: MouseEvent) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    if (link && link.hash === window.location.hash) follow();
  };
  window.addEventListener("hashchange", follow);
  document.addEventListener("click", followAgain);
  return () => {
    window.removeEventListener("hashchange", follow);
    document.removeEventListener("click", followAgain);
  };
}

/** Changes each time a link within the page is followed. Ends with the hash of the URL; empty on the server. */
export const useFollowedHash = (): string =>
  useSyncExternalStore(
    subscribe,
    () => `${follows} ${window.location.hash}`,
    () => "",
  );
