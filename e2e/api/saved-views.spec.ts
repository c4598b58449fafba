import { createSavedView, deleteSavedView, listSavedViews } from "../../lib/records/saved-views/contract";
import { expect, test } from "../fixtures";
import { unique } from "../world";

test("a view is saved, listed and deleted", async ({ api }) => {
  const name = unique("View");
  const { data } = await api.call(createSavedView, {
    body: { page: "generations", name, query: "status=blocked", is_shared: true },
  });
  expect(data).toMatchObject({ name, query: "status=blocked", is_shared: true, is_deletable: true });
  const { total_count } = await api.call(listSavedViews, { query: { limit: "1" } });
  expect(total_count).toBeGreaterThan(0);
  expect(await api.call(deleteSavedView, { params: { id: data.id } })).toEqual({ deleted: true });
  await api.refuse(deleteSavedView, 404, { params: { id: data.id } });
});

test("invalid views are rejected with issues", async ({ api }) => {
  const { metadata } = await api.refuse(createSavedView, 400, {
    body: { page: "nowhere", name: " ", query: "x".repeat(2001), colour: "red" },
  });
  const paths = (metadata["issues"] as { path: string[] }[]).map(({ path }) => path.join("."));
  expect(paths.toSorted()).toEqual(["colour", "name", "page", "query"]);
});
