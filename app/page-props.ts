/** Props that Next.js passes to a page: path parameters and query. */
export interface PageProps<Params extends object = Record<never, never>> {
  params: Promise<Params>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}
