import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { announce } from "@/lib/browser/announce";
import type { Generation } from "@/lib/records/generations/contract";
import { resetLog, generationLogQuery, tailQuery, type Log } from "./generation-queries";
import { mergeNewestFirst } from "./merge-generations";

/** Number of live rows after which the list resets, so that an open page doesn't grow without bound. */
const MOST_ARRIVED = 500;
/** Scroll offset beyond which rows must not shift. */
const TOP_PX = 160;

const onScroll = (listener: () => void) => {
  window.addEventListener("scroll", listener, { passive: true });
  return () => window.removeEventListener("scroll", listener);
};

const onNothing = () => () => undefined;

const yes = () => true;

/** True at the top of the page. Read only when needed, because reading scrollY forces a layout. */
const useIsAtTop = (matters: boolean) =>
  useSyncExternalStore(matters ? onScroll : onNothing, matters ? () => window.scrollY < TOP_PX : yes, yes);

/** Rows of the log, including live ones if it is newest first. Holds back rows that arrive while the user has scrolled down. */
export function useGenerationLog({ filters, sort }: Log, isLive: boolean) {
  const log = useInfiniteQuery(generationLogQuery({ filters, sort }));
  const tail = useQuery(tailQuery(filters, isLive));
  const arrived = useMemo(() => tail.data?.arrived ?? [], [tail.data]);
  const isAtTop = useIsAtTop(isLive || arrived.length > 0);
  const [seen, setSeen] = useState(0);
  const shownCount = isAtTop ? arrived.length : Math.min(seen, arrived.length);
  if (shownCount !== seen) setSeen(shownCount);
  const waiting = arrived.length - shownCount;

  const announced = useRef(0);
  useEffect(() => {
    const fresh = arrived.length - announced.current;
    announced.current = arrived.length;
    if (fresh > 0) announce(fresh === 1 ? "1 new generation" : `${fresh} new generations`);
  }, [arrived.length]);

  const client = useQueryClient();
  const isLong = isAtTop && arrived.length >= MOST_ARRIVED;
  useEffect(() => {
    if (isLong) void resetLog(client, filters);
  }, [isLong, client, filters]);

  const rows = useMemo((): Generation[] => {
    const loaded = log.data?.pages.flatMap(({ data }) => data) ?? [];
    return sort ? loaded : mergeNewestFirst(loaded, arrived.slice(0, shownCount), !log.hasNextPage);
  }, [log.data, log.hasNextPage, sort, arrived, shownCount]);

  return { log, rows, waiting, showWaiting: () => setSeen(arrived.length), hasLiveFailed: isLive && tail.isError };
}
