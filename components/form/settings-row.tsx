import type { ReactNode } from "react";

interface SettingsRowProps {
  id: string;
  title: string;
  description?: string;
  children: ReactNode;
}

/** Rows of short settings in one card. */
export const SettingsCard = ({ children }: { children: ReactNode }) => (
  <div className="@container divide-y rounded-lg border bg-surface">{children}</div>
);

/** Section of the settings card: its title at the left, its fields at the right; stacked in a narrow card. */
export function SettingsRow({ id, title, description, children }: SettingsRowProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-28 content-start gap-x-4 gap-y-2 px-4 py-2 sm:px-5 @xl:grid-cols-[8.5rem_minmax(0,1fr)] @4xl:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div className="grid content-start gap-0.5">
        <h2 id={`${id}-title`} className="font-semibold">
          {title}
        </h2>
        {description && <p className="text-[13px] text-pretty text-muted">{description}</p>}
      </div>
      <div className="grid min-w-0 content-start gap-2">{children}</div>
    </section>
  );
}

/** Two fields side by side where there is room. */
export const FieldPair = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-x-4 gap-y-3 @md:grid-cols-2">{children}</div>
);
