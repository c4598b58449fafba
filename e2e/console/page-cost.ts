import { gzipSync } from "node:zlib";
import type { Page, Request, Response } from "@playwright/test";

/** Limits for every console page. React and Next.js account for 132 kB of the scripts. */
const MOST_SCRIPT_BYTES = 325_000;
const DEEPEST_WATERFALL = 2;
const MOST_LAYOUT_SHIFT = 0.01;

export interface PageCost {
  /** Compressed size of same-origin scripts in the HTML, in bytes (gzip). */
  scriptBytes: number;
  /** Requests to the API. */
  requests: string[];
  /** Longest chain of sequential requests before the first data. */
  waterfall: number;
  layoutShift: LayoutShift;
}

interface Timed {
  name: string;
  start: number;
  end: number;
}

const isApi = ({ pathname }: URL) => pathname.startsWith("/v1/") || pathname === "/session";

interface Watch {
  /** Marks the time of the first data; later requests don't count towards the waterfall. */
  shown: () => void;
  cost: (opened: Response | null) => Promise<PageCost>;
}

/** Starts measuring before the page is opened. */
export function watchCost(page: Page): Watch {
  const sent: Request[] = [];
  page.on("request", (request) => {
    if (isApi(new URL(request.url()))) sent.push(request);
  });
  let first: readonly Request[] = sent;
  const shown = () => {
    first = [...sent];
  };
  const cost = async (opened: Response | null) => {
    const timed = await Promise.all(sent.map(toTimed));
    const before = await Promise.all(first.map(toTimed));
    return {
      scriptBytes: opened ? await scriptBytes(page, await opened.text()) : 0,
      requests: timed.map(({ name }) => name),
      waterfall: longestChain(before),
      layoutShift: await page.evaluate(layoutShift),
    };
  };
  return { shown, cost };
}

/** Returns the exceeded limits; empty if within all. */
export const excessOf = ({ scriptBytes: bytes, requests, waterfall, layoutShift: shift }: PageCost): string[] => [
  ...(bytes > MOST_SCRIPT_BYTES ? [`${bytes} bytes of script`] : []),
  ...requests
    .filter((request, index) => requests.indexOf(request) < index)
    .map((request) => `requested twice: ${request}`),
  ...requests.filter((request) => request.includes("_rsc=")).map((request) => `requested as a page: ${request}`),
  ...(waterfall > DEEPEST_WATERFALL ? [`a waterfall of ${waterfall}: ${requests.join(", ")}`] : []),
  ...(shift.sum >= MOST_LAYOUT_SHIFT ? [`layout shift of ${shift.sum}: ${shift.moved.join("; ")}`] : []),
];

async function toTimed(request: Request): Promise<Timed> {
  await request.response().catch(() => null);
  const { startTime, responseEnd } = request.timing();
  const { pathname, search } = new URL(request.url());
  return {
    name: `${request.method()} ${pathname}${search}`,
    start: startTime,
    end: startTime + Math.max(responseEnd, 0),
  };
}

function longestChain(requests: readonly Timed[]): number {
  const depths = new Map<Timed, number>();
  for (const request of [...requests].sort((a, b) => a.start - b.start)) {
    const before = [...depths].filter(([other]) => other.end <= request.start).map(([, depth]) => depth);
    depths.set(request, Math.max(0, ...before) + 1);
  }
  return Math.max(0, ...depths.values());
}

const sizes = new Map<string, Promise<number>>();

async function scriptBytes(page: Page, html: string): Promise<number> {
  const urls = [...html.matchAll(/<script(?=[^>]*\bsrc="([^"]+)")([^>]*)>/g)]
    .filter(([, , attributes]) => !attributes?.includes("noModule"))
    .map(([, path = ""]) => new URL(path, page.url()));
  const own = urls.filter(({ origin }) => origin === new URL(page.url()).origin).map(({ href }) => href);
  const all = await Promise.all(
    [...new Set(own)].map((path) => {
      const size =
        sizes.get(path) ?? page.request.get(path).then(async (answer) => gzipSync(await answer.body()).length);
      sizes.set(path, size);
      return size;
    }),
  );
  return all.reduce((sum, bytes) => sum + bytes, 0);
}

interface LayoutShift {
  sum: number;
  /** What moved, and from which to which place of the window. */
  moved: string[];
}

/** Returns the layout shifts of a page so far: https://web.dev/articles/cls */
export function layoutShift(): Promise<LayoutShift> {
  interface Entry extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  return new Promise((resolve) => {
    const shift: LayoutShift = { sum: 0, moved: [] };
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (hadRecentInput) continue;
        shift.sum += value;
        for (const { node, previousRect: from, currentRect: to } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          const name = `${element?.tagName.toLowerCase()} ${element?.textContent.slice(0, 40)}`;
          const [before, after] = [from, to].map(({ x, y, width, height }) => [x, y, width, height].join());
          shift.moved.push(`${name}: ${before} -> ${after}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(shift), 100);
  });
}
