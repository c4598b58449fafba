/** What Next hands to a page: path parameters of its folder, and the query. */
export interface PageProps<Params extends object = Record<never, never>> {
  params: Promise<Params>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}
