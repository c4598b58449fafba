import Link from "next/link";

export interface BarItem {
  label: string;
  value: number;
  /** Formatted value: "$1.20". */
  text: string;
  href?: string | undefined;
}

/** Horizontal bars, in the order given. */
export function BarList({ label, items }: { label: string; items: readonly BarItem[] }) {
  const largest = Math.max(...items.map(({ value }) => value), 0);
  return (
    <ul aria-label={label} className="grid gap-1.5">
      {items.map((item) => (
        <li
          key={`${item.label} ${item.href ?? ""}`}
          className="relative flex min-h-8 items-center justify-between gap-3 rounded-md px-2 text-[13px]"
        >
          <span
            aria-hidden
            className="absolute inset-y-0 left-0 min-w-0.5 rounded-md bg-accent-subtle"
            style={{ width: `${largest > 0 ? (100 * item.value) / largest : 0}%` }}
          />
          {item.href ? (
            <Link href={item.href} className="relative min-w-0 truncate rounded-sm py-1 hover:underline">
              {item.label}
            </Link>
          ) : (
            <span className="relative min-w-0 truncate">{item.label}</span>
          )}
          <span className="relative shrink-0 tabular-nums">{item.text}</span>
        </li>
      ))}
    </ul>
  );
}
