/** Link to a model's sheet. */
export const modelHref = (slug: string): string => `/providers?tab=models&model=${encodeURIComponent(slug)}`;

/** Number of models that the list leaves out. */
export const Rest = ({ total_count, data }: { total_count: number; data: readonly unknown[] }) =>
  total_count > data.length && (
    <p className="text-[13px] text-muted">and {(total_count - data.length).toLocaleString("en")} more</p>
  );
