// A horizontal bar chart as SVG, readable on light and dark backgrounds.

export interface Bar {
  label: string;
  /** Parts drawn one after another. */
  parts: readonly number[];
  /** Lowest and highest measurement. */
  spread?: readonly [low: number, high: number];
  text: string;
}

export interface Chart {
  title: string;
  /** Meaning of a bar's parts; no legend for a single part. */
  legend: readonly string[];
  groups: readonly { label: string; bars: readonly Bar[] }[];
}

const WIDTH = 880;
const LEFT = 150;
const RIGHT = 190;
const BAR = 16;
const STEP = 22;
const HEADING = 30;
const TOP = 56;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 } .group { font-weight: 600 } .label { text-anchor: end }
  .background { fill: #ffffff } .part0 { fill: #2f6fdb } .part1 { fill: #d97706 } .spread { stroke: #1f2328; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .background { fill: #0d1117 } .part0 { fill: #58a6ff } .part1 { fill: #f0a83a } .spread { stroke: #e6edf3 }
  }`;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const pixels = (value: number) => String(Math.round(value * 10) / 10);
const rectangle = (x: number, y: number, width: number, name: string) =>
  `<rect class="${name}" x="${pixels(x)}" y="${pixels(y)}" width="${pixels(Math.max(width, 0.5))}" height="${BAR}"/>`;
const text = (x: number, y: number, name: string, content: string) =>
  `<text class="${name}" x="${pixels(x)}" y="${pixels(y)}">${escaped(content)}</text>`;

/** Draws a group of bars; each group has its own scale. */
function group({ label, bars }: Chart["groups"][number], top: number): string[] {
  const longest = Math.max(...bars.map(({ parts, spread }) => Math.max(sum(parts), spread?.[1] ?? 0)));
  const width = (value: number) => (value / longest) * (WIDTH - LEFT - RIGHT);
  const drawn = bars.flatMap((bar, index) => {
    const y = top + HEADING + index * STEP;
    const parts = bar.parts.map((part, at) =>
      rectangle(LEFT + width(sum(bar.parts.slice(0, at))), y, width(part), `part${at}`),
    );
    const [low, high] = (bar.spread ?? [0, 0]).map((value) => pixels(LEFT + width(value)));
    const spread = bar.spread
      ? [`<line class="spread" x1="${low}" x2="${high}" y1="${y + BAR / 2}" y2="${y + BAR / 2}"/>`]
      : [];
    const end = LEFT + width(Math.max(sum(bar.parts), bar.spread?.[1] ?? 0)) + 8;
    return [text(LEFT - 8, y + 13, "label", bar.label), ...parts, ...spread, text(end, y + 13, "value", bar.text)];
  });
  return [text(16, top + 20, "group", label), ...drawn];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export function barChart({ title, legend, groups }: Chart): string {
  let top = TOP;
  const drawn = groups.flatMap((one) => {
    const lines = group(one, top);
    top += HEADING + one.bars.length * STEP + 8;
    return lines;
  });
  const height = top + 8;
  const key =
    legend.length < 2
      ? []
      : legend.flatMap((name, index) => [
          rectangle(WIDTH - RIGHT + 10, 14 + index * STEP - 4, BAR, `part${index}`),
          text(WIDTH - RIGHT + 34, 14 + index * STEP + 9, "key", name),
        ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="background" width="${WIDTH}" height="${height}"/>`,
    text(16, 28, "title", title),
    ...key,
    ...drawn,
    "</svg>\n",
  ].join("\n");
}
